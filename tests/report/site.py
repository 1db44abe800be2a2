"""Command: look at the site of the documents in a real browser, as a server gives it out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.report.look import SCHEMES, SIZES, browser, inspect, opened
from tests.serving import serve
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def look_at_site(site: Path, *, word: str = "M-Acc", screenshots: Path | None = None) -> None:
    """Open the pages of a site at two widths, wide in light and narrow in dark, and use its search and menu.

    A finding is whatever `tests.report.look` finds on a page, anything loaded from outside the site, a search
    without results, a result that does not lead to the word, and a menu that opens no page in the narrow
    window. Pages of decisions, which are alike, are looked at in their overview only.

    :param site: folder with index.html
    :param word: what is searched
    :param screenshots: folder for a PNG of each page at each width
    """
    if not (site / "index.html").is_file():
        raise InputError("no such file", path=site / "index.html", fix="make docs")
    with browser() as chromium:
        findings = inspect_site(chromium, site, word, screenshots)
    if findings:
        raise InputError("\n".join(findings), path=site)


def inspect_site(
    chromium: Browser, site: Path, word: str, screenshots: Path | None = None, patience: int = 10_000
) -> list[str]:
    """All findings; `patience` is in milliseconds, until search and menu have shown something."""
    pages = [
        page
        for page in sorted(site.rglob("*.html"))
        if page.name != "search.html" and (page.parent.name != "decisions" or page.stem == "README")
    ]
    findings = []
    with served(site) as address:
        for name in (page.relative_to(site).as_posix() for page in pages):
            for (width, height), scheme in zip(SIZES, SCHEMES, strict=True):
                found = inspect(chromium, address + name, width, height, scheme, address)
                findings += [f"{name}, {width} pixels: {finding}" for finding in found]
                if screenshots is not None:
                    target = screenshots / f"{name.removesuffix('.html').replace('/', '-')}-{width}.png"
                    with opened(chromium, address + name, width, height, scheme, [], address) as page:
                        page.screenshot(path=target)
        return [*findings, *_search(chromium, address, word, patience), *_menu(chromium, address, patience)]


class Handler(SimpleHTTPRequestHandler):
    """Gives out files and writes no log."""

    def log_message(self, format: str, *args: object) -> None:
        """No line for a request."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, unless the browser has left the page."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address under which a server on this machine gives out a folder, with a slash at its end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        serve(server)
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def _search(chromium: Browser, address: str, word: str, patience: int) -> list[str]:
    from playwright.sync_api import TimeoutError as Late

    findings: list[str] = []
    with opened(chromium, f"{address}index.html", *SIZES[0], SCHEMES[0], findings, address) as page:
        box = page.locator("input[type=search], input[name=q]").first
        try:
            box.fill(word, timeout=patience)
            box.press("Enter")
            page.locator("#search-results li a").first.wait_for(timeout=patience)
        except Late:
            return [*findings, f"the search for {word} has no result"]
        # A click would break off the loading of the pages that the results are excerpts of.
        page.wait_for_load_state("networkidle", timeout=patience)
        page.locator("#search-results li a").first.click()
        # The page marks the word.
        page.locator("article .highlighted").first.wait_for(state="attached", timeout=patience)
        if word not in page.inner_text("body"):
            findings.append(f"the first result for {word} leads to a page without it: {page.url}")
    return findings


def _menu(chromium: Browser, address: str, patience: int) -> list[str]:
    from playwright.sync_api import TimeoutError as Late

    findings: list[str] = []
    with opened(chromium, f"{address}index.html", *SIZES[1], SCHEMES[0], findings, address) as page:
        try:
            page.locator("header label[for=__navigation]").click(timeout=patience)
            page.locator(".sidebar-tree a").nth(1).click(timeout=patience)
            page.wait_for_url(lambda url: not url.endswith("index.html"), timeout=patience)
        except Late:
            findings.append("the menu of the narrow window opens no page")
    return findings


if __name__ == "__main__":
    run(look_at_site)
