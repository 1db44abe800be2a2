"""Command: look at a page in a real browser, and keep a picture of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Width and height of the window: a laptop's and a telephone's.
SIZES = ((1280, 900), (390, 800))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Of one kind of finding in one window, so that one fault is not a thousand lines.
SHOWN = 8


def look(page: Path, *, screenshot: Path | None = None) -> None:
    """Open a page at two widths, in light and dark, with everything that can be opened; stop at any finding.

    A finding is an error of a script, anything that the page loads or fails to load, a page that scrolls
    sideways, a cell that is cut off, a region that scrolls but has no name or cannot be focused, a figure
    without text alternative, an id that stands twice, a link within the page that leads nowhere, headings
    out of order, and text with less contrast than WCAG's level AA wants (colours within figures are not
    looked at).

    :param page: HTML file
    :param screenshot: PNG to write: the wide window in light, as the page opens
    """
    if not page.is_file():
        raise InputError("no such file", path=page)
    findings = []
    with browser() as chromium:
        for width, height in SIZES:
            for scheme in SCHEMES:
                where = f"{width} pixels, {scheme}"
                findings += [
                    f"{where}: {finding}" for finding in inspect(chromium, page, width, height, scheme)
                ]
        if screenshot is not None:
            _photograph(chromium, page, screenshot)
    if findings:
        raise InputError("\n".join(findings), path=page)


@contextmanager
def browser() -> Iterator[Browser]:
    """Start the system's Chromium; InputError if there is none."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise InputError(f"no browser ({', '.join(BROWSERS)})", fix="install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield chromium
        finally:
            chromium.close()


def inspect(
    chromium: Browser,
    address: Path | str,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
    site: str = "",
) -> list[str]:
    """All findings in one window; a page of a `site` may load what has an address below that of the site."""
    findings: list[str] = []
    with opened(chromium, address, width, height, scheme, findings, site) as page:
        # What closed parts contain is checked too.
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        script = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
        findings += _few(cast("list[str]", page.evaluate(script)))
    return findings


@contextmanager
def opened(
    chromium: Browser,
    address: Path | str,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
    findings: list[str],
    site: str = "",
) -> Iterator[Page]:
    """A page in a window of its own; errors of scripts and loads outside `site` are added to `findings`."""
    own = address if isinstance(address, str) else address.resolve().as_uri()
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: findings.append(f"error of a script: {error}"))
        page.on(
            "console",
            lambda said: (
                findings.append(f"console: {said.text}") if said.type in ("error", "warning") else None
            ),
        )
        page.on("requestfailed", lambda request: findings.append(f"cannot be loaded: {request.url}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url == own or (site and request.url.startswith(site))
                else findings.append(f"loads {request.url}")
            ),
        )
        page.goto(own, wait_until="load")
        yield page
    finally:
        context.close()


def _few(found: list[str]) -> list[str]:
    """Some findings of each kind, and how many more there are."""
    kinds: dict[str, list[str]] = {}
    for finding in found:
        kinds.setdefault(finding.partition(":")[0].rstrip("0123456789."), []).append(finding)
    some = []
    for kind, members in kinds.items():
        some += members[:SHOWN]
        if len(members) > SHOWN:
            some.append(f"{kind.strip()}: {len(members) - SHOWN} more")
    return some


def _photograph(chromium: Browser, path: Path, target: Path) -> None:
    width, height = SIZES[0]
    with opened(chromium, path, width, height, "light", []) as page, writing(target, binary=True) as stream:
        stream.write(page.screenshot(type="png"))


if __name__ == "__main__":
    run(look)
