"""The app in a real browser: by keyboard alone, without a connection, blind, adjudicated, accessible."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from patstone.review import people
from patstone.review.project import Project, Settings, create
from review_server import Served, serving
from visitors import PASSWORD, SCOPE, families

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    settings = Settings(title="Soft grippers", reviewers=2, reviews=2, highlight="grip*")
    made = create(tmp_path / "project", settings=settings, candidates=families(), scope=SCOPE)
    yield made
    made.database.close()


@pytest.fixture
def served(project: Project) -> Iterator[Served]:
    with serving(project.folder) as found:
        yield found


@contextmanager
def visiting(
    browser: Browser, project: Project, served: Served, role: str, name: str, **options: object
) -> Iterator[Page]:
    """Someone who has just opened their invitation, with the keyboard only."""
    context = browser.new_context(base_url=served.url, **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"/join/{people.invite(project.database, role)}")
    # Typing before the page has put the cursor there would lose letters.
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/review" if role == "reviewer" else "**/progress")
    if role == "reviewer":
        expect(page.locator("#family h1").first).to_be_visible()
    yield page
    context.close()


def said(project: Project) -> dict[str, str | None]:
    """What stands in the database."""
    from patstone.review.coordinating import verdicts

    return {row.family: row.after for row in verdicts(project.database)}


def judged(page: Page) -> str:
    return page.locator("#family").get_attribute("data-family") or ""


def press(page: Page, key: str) -> str:
    """Press a key and wait until the next family is there; give the one that was judged."""
    before = judged(page)
    page.keyboard.press(key)
    expect(page.locator("#family")).not_to_have_attribute("data-family", before)
    return before


def test_reviewing_by_keyboard_alone(browser: Browser, project: Project, served: Served) -> None:
    with visiting(browser, project, served, "reviewer", "Ann") as page:
        expect(page.locator("mark").first).to_have_text("Gripper")
        expect(page.get_by_text("belong; others don't.")).to_be_visible()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        page.keyboard.type("sucks, p and n")
        page.keyboard.press("Escape")
        wanted = {press(page, "p"): "positive", press(page, "n"): "negative", press(page, "u"): "unsure"}
        later = press(page, "s")
        wrong = press(page, "p")
        page.keyboard.press("z")
        expect(page.locator("#family")).to_have_attribute("data-family", wrong)
        wanted |= {press(page, "n"): "negative", press(page, "p"): "positive"}
        # The postponed one comes last.
        assert judged(page) == later
        page.keyboard.press("p")
        expect(page.locator("#family")).to_contain_text("All done")
        expect(page.locator("#saved")).to_have_text("Saved")
        page.keyboard.press("k")
        expect(page.locator("#family h1").first).to_be_visible()
        assert said(project) == wanted | {later: "positive"}
    with visiting(browser, project, served, "coordinator", "Carla") as page:
        expect(page.get_by_role("row", name="Ann")).to_contain_text("6")


def test_a_lost_connection_loses_nothing_and_sends_nothing_twice(
    browser: Browser, project: Project, served: Served
) -> None:
    with visiting(browser, project, served, "reviewer", "Ann") as page:
        first = press(page, "p")
        expect(page.locator("#saved")).to_have_text("Saved")
        page.context.set_offline(True)
        second, third = press(page, "n"), press(page, "u")
        expect(page.locator("#saved")).to_contain_text("2 not saved yet: no connection")
        assert said(project) == {first: "positive"}
        page.context.set_offline(False)
        expect(page.locator("#saved")).to_have_text("Saved", timeout=20_000)
        assert said(project) == {first: "positive", second: "negative", third: "unsure"}
        assert len(list(events(project))) == 3


def test_what_was_said_offline_outlives_the_page(browser: Browser, project: Project, served: Served) -> None:
    with visiting(browser, project, served, "reviewer", "Ann") as page:
        page.route("**/api/events", lambda route: route.abort())
        family = press(page, "p")
        expect(page.locator("#saved")).to_contain_text("1 not saved yet")
        page.unroute("**/api/events")
        page.reload()
        expect(page.locator("#saved")).to_have_text("Saved", timeout=20_000)
        assert said(project) == {family: "positive"}
        page.keyboard.press("z")
        expect(page.locator("#family")).to_have_attribute("data-family", family)
        expect(page.locator("#saved")).to_have_text("Saved")
        assert said(project) == {}


def events(project: Project) -> Iterator[str]:
    from patstone.review.coordinating import events as every

    yield from (row.request for row in every(project.database))


def test_two_sessions_are_blind_and_a_coordinator_settles(
    browser: Browser, project: Project, served: Served, tmp_path: Path
) -> None:
    with (
        visiting(browser, project, served, "reviewer", "Ann") as ann,
        visiting(browser, project, served, "reviewer", "Bob") as bob,
    ):
        for _ in range(5):
            press(ann, "p")
            press(bob, "n")
        ann.keyboard.press("p")
        bob.keyboard.press("p")
        for page, other in ((ann, "Bob"), (bob, "Ann")):
            expect(page.locator("#saved")).to_have_text("Saved")
            page.reload()
            expect(page.locator("#count")).to_have_text("6 of 6 judged")
            assert other not in page.content()
    with visiting(browser, project, served, "coordinator", "Carla", accept_downloads=True) as page:
        page.get_by_role("link", name="Disagreements").click()
        disputes = page.locator(".dispute")
        assert disputes.count() >= 4
        total = disputes.count()
        disputes.first.get_by_label("Reason").fill("It grips by suction.")
        disputes.first.get_by_role("button", name="Negative").click()
        expect(page.locator("#main")).to_contain_text(f"{total} families, {total - 1} of them undecided")
        page.get_by_role("link", name="Progress").click()
        with page.expect_download() as download:
            page.get_by_role("row", name="Consensus").get_by_role("link", name="TSV").click()
        download.value.save_as(tmp_path / "consensus.tsv")
    lines = (tmp_path / "consensus.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["Class", "DocDB Family ID", "Serial no.", "Title", "Publication date"]
    assert len(lines) == 1 + 1 + 6 - total


@pytest.mark.parametrize("look", ["light", "dark"])
def test_pages_are_accessible(browser: Browser, project: Project, served: Served, look: str) -> None:
    with visiting(browser, project, served, "reviewer", "Ann", color_scheme=look) as page:
        assert serious(page) == []
        page.keyboard.press("?")
        assert serious(page) == []
    with visiting(browser, project, served, "coordinator", "Carla", color_scheme=look) as page:
        for path in ("/progress", "/agreement", "/disagreements", "/scope", "/audit", "/people"):
            page.goto(path)
            assert serious(page) == [], path


def serious(page: Page) -> list[str]:
    """What axe finds that is serious or worse; its script is run from outside, since the page lets none in."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [
        f"{one['id']}: {one['nodes'][0]['html']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(("width", "scale"), [(375, 1), (640, 1), (1280, 1), (1280, 2)])
def test_nothing_sticks_out(browser: Browser, project: Project, served: Served, width: int, scale: int) -> None:
    # Zoomed to 200 %, a page has half the width.
    size = {"width": width // scale, "height": 800 // scale}
    with visiting(browser, project, served, "reviewer", "Ann", viewport=size) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width // scale
        for key in "pnu":
            expect(page.locator(f"[aria-keyshortcuts={key}]")).to_be_in_viewport()
