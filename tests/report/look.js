/* What a reader's browser shows: a list of findings, one text each. */
() => {
  const found = [];
  const say = (what, element) => {
    const near = element && element.closest("[id]");
    const text = element ? (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 60) : "";
    found.push(what + (element ? `: <${element.tagName.toLowerCase()}> "${text}"` : "") + (near ? ` near #${near.id}` : ""));
  };
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    say(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
  }
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  const unseen = (element) => element.closest(".unseen, .skip, thead") &&
    getComputedStyle(element.closest(".unseen, .skip, thead")).position === "absolute";

  /* Tables: nothing outside of a box that cannot be scrolled to it. */
  for (const element of document.querySelectorAll("main *, [role=main] *")) {
    if (!(element instanceof HTMLElement) || !seen(element) || unseen(element)) continue;
    const style = getComputedStyle(element);
    if (style.display === "inline") continue;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
      if (["hidden", "clip"].includes(style.overflowX)) say("clipped", element);
      if (["auto", "scroll"].includes(style.overflowX)) {
        if (element.tabIndex < 0) say("scrolls but cannot be focused", element);
        if (!element.getAttribute("aria-label")) say("scrolls but has no name", element);
      }
    }
  }
  for (const cell of document.querySelectorAll("td, th")) {
    if (!seen(cell) || unseen(cell)) continue;
    const box = cell.getBoundingClientRect();
    const holder = cell.closest(".scroll, .table-wrapper");
    const area = (holder || root).getBoundingClientRect();
    const scrolled = holder ? holder.scrollWidth : root.clientWidth;
    if (box.left < area.left - 1.5 || box.right > area.left + scrolled + 1.5) say("a cell lies outside", cell);
    if (cell.scrollWidth > cell.clientWidth + 1) say("text leaves its cell", cell);
  }

  /* Text alternatives and names. */
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) say(`the id ${element.id} stands twice`, element);
    ids.add(element.id);
  }
  for (const attribute of ["aria-labelledby", "aria-describedby"]) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/)) {
        if (!ids.has(id)) say(`${attribute} names ${id}, which is not there`, element);
      }
    }
  }
  for (const link of document.querySelectorAll('a[href^="#"]:not([href="#"])')) {
    if (!ids.has(decodeURIComponent(link.hash.slice(1)))) say(`a link leads nowhere: ${link.hash}`, link);
  }
  for (const image of document.querySelectorAll("img")) if (!image.alt) say("an image without alt", image);
  for (const svg of document.querySelectorAll("svg")) {
    /* Not the icons of a button, nor the drawings that icons use. */
    if (!seen(svg) || svg.querySelector(":scope > use")) continue;
    const [title, text] = ["title", "desc"].map((tag) => svg.querySelector(`:scope > ${tag}`)?.textContent.trim());
    if (!title || !text || svg.getAttribute("role") !== "img") say("a figure without title, description or role", svg);
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.querySelector("th")) say("a table without heads", table);
  }

  /* Headings in order, one first. */
  let level = 0;
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  if (headings.filter((heading) => heading.tagName === "H1").length !== 1) say("not exactly one h1");
  for (const heading of headings) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) say(`a heading of level ${own} after one of level ${level}`, heading);
    level = own;
  }

  /* Contrast of text with what lies behind it (WCAG 2, AA). */
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const colour = (text) => {
    if (!known.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(colour(getComputedStyle(e).backgroundColor));
    const base = matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
    return layers.reverse().reduce((below, top) => over(top, below), base);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const judged = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || judged.has(element) || !(element instanceof HTMLElement)) continue;
    if (!seen(element) || unseen(element)) continue;
    judged.add(element);
    const style = getComputedStyle(element);
    const back = behind(element);
    const [a, b] = [light(over(colour(style.color), back)), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) say(`contrast ${ratio.toFixed(2)}`, element);
  }
  return found;
}
