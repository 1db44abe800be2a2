"""The page of a sheet is usable in a browser, with a keyboard and on a small screen."""

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.human.pages import TEXTS, make, requests_sheet
from tests.tables import rows_of
from workflow_scripts.human.qualification import qualification
from workflow_scripts.human.ratings import ratings
from workflow_scripts.human.scales import LETTERS, TASKS

# The tasks of the sheet, in their order.
QUESTIONS = ("formality", "fluency", "meaning", "ranking")


@pytest.fixture
def view(chromium, made, tmp_path):
    """Opens the page; at the end no script may have failed and nothing may have been asked of a network."""
    make(tmp_path / "sheet.csv", tmp_path / "fr.html", scale="demo")
    context = chromium.new_context(accept_downloads=True)
    problems: list[str] = []

    def opened(width: int = 1280, name: str = "fr.html", scheme: str = "light") -> Any:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "blob:")) else problems.append(request.url)
            ),
        )
        page.goto((tmp_path / name).as_uri())
        return page

    yield opened
    context.close()
    assert problems == []


def start(page: Any, rater: str = "ana", batch: str | None = "all") -> None:
    page.get_by_label("Your rater id").fill(rater)
    if batch:
        page.get_by_label("Batch").select_option(batch)
    page.get_by_role("button", name="Start").click()


def saved(page: Any, folder: Path, button: str = "Save ratings") -> Path:
    """Press a button that saves; the file as a rater would send it."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    folder.mkdir(exist_ok=True)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def answer_all(page: Any) -> list[str]:
    """Answer every item by keyboard; the tasks in the order in which they came."""
    seen = []
    while True:
        task = page.locator("#task").inner_text()
        seen.append(task)
        if task == "Overall":
            count = page.locator(".choices button").count()
            # From the last to the first; the one that is left ranks itself.
            for letter in reversed(LETTERS[1:count]):
                page.keyboard.press(letter.lower())
        else:
            page.keyboard.press("2")
        last = page.locator("#next").inner_text() == "Finish"
        page.keyboard.press("Enter")
        if last:
            return seen


def check(tmp_path: Path, folder: Path, sheet_file: str = "sheet.csv") -> list[dict[str, str]]:
    """What the validator reads of the saved files."""
    files = (tmp_path / "ratings.csv", tmp_path / "coverage.csv")
    ratings(*files, sheet=tmp_path / sheet_file, folder=folder, language="fr", languages=["fr"], raters=1)
    return rows_of(files[0])


@pytest.mark.slow
def test_a_rater_fills_in_everything_by_keyboard(view, made, tmp_path):
    page = view()
    start(page, 'Ana "x", né')
    seen = answer_all(page)
    assert len(seen) == len(made[0])
    # Task by task.
    assert list(dict.fromkeys(seen)) == [TASKS[name].title for name in QUESTIONS]
    assert page.locator("#count").inner_text() == f"{len(seen)} of {len(seen)} rated"
    assert page.evaluate("document.activeElement.id") == "save"
    path = saved(page, tmp_path / "sent")
    assert path.name == "fr-Ana_x_né.csv"
    found = check(tmp_path, tmp_path / "sent")
    assert len(found) == len(made[0]) and {row["rater"] for row in found} == {'Ana "x", né'}
    options = {item.item: len(item.options) for item in made[0]}
    for row in found:
        expected = {"formality": "-2", "fluency": "2", "meaning": "2"}.get(
            row["task"], LETTERS[: options[row["item"]]][::-1]
        )
        assert row["value"] == expected


@pytest.mark.slow
def test_unfinished_work_is_saved_after_a_warning_and_goes_on_later(view, made, tmp_path):
    page = view()
    start(page)
    for key in ("1", "7"):
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Save ratings").click()
    assert page.get_by_role("dialog").inner_text().startswith(f"{len(made[0]) - 2} of {len(made[0])} items")
    saved(page, tmp_path / "sent", "Save what is there")
    assert sorted(row["value"] for row in check(tmp_path, tmp_path / "sent")) == ["-3", "3"]
    # The same rater finds both again, another one nothing.
    again = view()
    start(again)
    assert again.locator("#count").inner_text() == f"2 of {len(made[0])} rated"
    again.get_by_role("button", name="Back").click()
    assert again.locator("input:checked").get_attribute("value") == "3"
    again.get_by_role("button", name="Change rater").click()
    start(again, "bo")
    assert again.locator("#count").inner_text() == f"0 of {len(made[0])} rated"


@pytest.mark.slow
def test_raters_get_orders_of_their_own_and_always_the_same(view):
    page = view()
    orders = []
    for rater in ("ana", "bo", "ana"):
        page.reload()
        start(page, rater)
        orders.append(page.evaluate("items.map((item) => item.item)"))
    assert orders[0] == orders[2] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])


@pytest.mark.slow
def test_batches_are_saved_in_files_of_their_own(view, made, tmp_path):
    page = view()
    for batch in ("1", "2"):
        page.reload()
        start(page, batch=batch)
        answer_all(page)
        assert saved(page, tmp_path / "sent").name == f"fr-ana-{batch}.csv"
    assert len(check(tmp_path, tmp_path / "sent")) == len(made[0])


@pytest.mark.slow
def test_a_ranking_is_changed_and_half_a_one_is_none(view, made):
    page = view()
    start(page)
    page.evaluate("go(items.findIndex((item) => item.options.length === 3))")
    options = page.locator(".choices button")
    options.nth(1).click()
    assert options.nth(1).get_attribute("aria-pressed") == "true"
    assert page.evaluate("rated()") == 0 and page.evaluate("answers[items[at].item]") == "B"
    options.nth(0).click()
    assert page.evaluate("answers[items[at].item]") == "BAC" and page.evaluate("rated()") == 1
    # Taking the second out takes those after it out too.
    options.nth(0).click()
    assert page.evaluate("answers[items[at].item]") == "B"
    options.nth(2).click()
    assert options.nth(2).locator(".place").inner_text() == "rank 2"
    assert page.evaluate("csv().includes(',ranking,BCA')")


@pytest.mark.slow
def test_every_control_has_a_name_and_sentences_have_their_language(view):
    page = view()
    start(page)
    scale = TASKS["formality"]
    for value, label in enumerate(scale.labels, scale.low):
        shown = f"{value} {label}".replace("-", "−")
        assert page.get_by_role("radio", name=shown, exact=True).count() == 1
    assert page.get_by_role("group", name=scale.question).count() == 1
    assert page.locator(".sentence").first.get_attribute("lang") == "fr"
    assert page.get_by_role("progressbar", name="Rated items").count() == 1
    # A rater id of blanks is none.
    page.get_by_role("button", name="Change rater").click()
    start(page, "   ")
    assert page.locator("#work").is_hidden()


@pytest.mark.slow
def test_a_native_page_fills_in_its_own_texts(view, made, tmp_path):
    native = {"native": TEXTS / "fr.yaml", "interface": "native"}
    make(tmp_path / "sheet.csv", tmp_path / "native.html", **native)
    page = view(name="native.html")
    size = sum(item.batch == 1 for item in made[0])
    assert (
        page.locator("#batch option").first.inner_text()
        == f"1 ({size} questions, environ {-(-size // 4)} min)"
    )
    page.get_by_label("Votre identifiant").fill("ana")
    page.get_by_role("button", name="Commencer").click()
    assert page.locator("#count").inner_text() == f"0 sur {size} traitées"
    # The paper's answer stands beside, in its language.
    assert page.get_by_role("radio", name="−3 Très informelle Very Informal").count() == 1
    assert page.locator(".choices span[lang=en]").first.inner_text() == "Very Informal"
    page.evaluate("go(items.findIndex((item) => item.options.length === 3))")
    assert (
        page.locator("#question .name")
        .last.inner_text()
        .startswith("Appuyez sur la phrase qui prend le rang 1 sur 3")
    )


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_wider_than_the_screen(view, width, scheme):
    page = view(width, scheme=scheme)

    def fits() -> bool:
        return page.evaluate("document.documentElement.scrollWidth") <= width

    assert fits()
    start(page, "a" * 60)
    for task in QUESTIONS:
        page.evaluate("(task) => go(items.findIndex((item) => item.task === task))", task)
        assert page.locator("#question").is_visible() and fits()
    page.get_by_role("button", name="Save ratings").click()
    assert page.get_by_role("dialog").is_visible() and fits()


@pytest.mark.slow
def test_the_qualification_test_comes_back_as_answers(view, tmp_path):
    qualification(tmp_path / "test.csv", questions=ROOT / "resources/qualification/fr.csv")
    make(tmp_path / "test.csv", tmp_path / "test.html", kind="qualification")
    page = view(name="test.html")
    assert page.get_by_label("Batch").is_hidden()
    start(page, batch=None)
    assert answer_all(page) == ["Formality"] * 8
    assert saved(page, tmp_path / "sent").name == "fr-ana.csv"
    found = check(tmp_path, tmp_path / "sent", "test.csv")
    assert [row["item"] for row in found] == [f"q{i}" for i in range(1, 9)]


@pytest.mark.slow
def test_ratings_of_requests_come_back_with_their_hit(view, made, tmp_path):
    requests_sheet(tmp_path / "requests.csv")
    make(tmp_path / "requests.csv", tmp_path / "requests.html", kind="requests")
    page = view(name="requests.html")
    start(page, "ana")
    for place in (0, 13, 6, 12):
        page.locator(".choices input").nth(place).check()
        page.keyboard.press("Enter")
    path = saved(page, tmp_path / "sent")
    assert path.name == "fr-ana.csv"
    # In the order of the sheet; the header is the one that politeness.ratings reads.
    assert path.read_text(encoding="utf-8").splitlines() == [
        "rater,item,task,value,hit",
        *("ana,fr-1-1,politeness,-3,1", "ana,en-7-1,politeness,invalid,1"),
        *("ana,fr-2-2,politeness,0,2", "ana,en-7-2,politeness,3,2"),
    ]
