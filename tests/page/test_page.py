"""The page as a person uses it: four languages, a wide and a narrow screen."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import pytest

from page.conftest import Served
from page.slow import slow_model

pytestmark = pytest.mark.served

# language, question, follow-up, what its answer says, "why" and "documents" on the page
JOURNEYS = {
    "zh-TW": ("zh-Hant", "Orin 方案每月多少錢？", "那 Vega 呢？", "500", "為什麼這樣回答", "文件"),
    "zh-CN": ("zh-Hans", "星辰套餐每月多少钱？", "那大海套餐呢？", "50", "为什么这样回答", "文档"),
    "ja-JP": ("ja", "桜プランの料金はいくらですか？", "楓プランは？", "2,400", "この回答の理由", "文書"),
    "en-GB": ("en", "What does the Basic plan cost?", "And the Studio plan?", "29", "Why this answer", "Documents"),
}
UNANSWERABLE = {
    "zh-Hant": "紫色鯨魚住在哪裡？",
    "zh-Hans": "紫色鲸鱼住在哪里？",
    "ja": "紫の鯨はどこに住んでいますか？",
    "en": "Where does the purple whale live?",
}
WIDTHS = (1280, 390)
PICTURES = os.environ.get("ANAPHOR_PICTURES", "")


def ask(page, text):
    turns = page.locator("li.turn").count()
    page.locator("#question").fill(text)
    page.locator("#question").press("Enter")
    page.locator("li.turn").nth(turns).locator(".tools").wait_for()


def word(page, name, **given):
    """What the page calls something, in the language it is shown in."""
    asked = "([name, given]) => import('/assets/js/words.js').then((words) => words.t(name, given))"
    return page.evaluate(asked, [name, given])


def everywhere(test):
    """In every language, on a wide and on a narrow screen."""
    return pytest.mark.parametrize("width", WIDTHS)(pytest.mark.parametrize("locale", JOURNEYS)(test))


def keep(page, name):
    """A picture, where one is wanted."""
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", JOURNEYS)
def test_a_follow_up_is_answered_and_the_page_shows_why(visit, locale, width):
    lang, question, follow_up, told, why, _ = JOURNEYS[locale]
    page = visit(locale, width)
    page.locator("#question").wait_for()
    assert page.locator("html").get_attribute("lang") == lang
    ask(page, question)
    ask(page, follow_up)
    last = page.locator("li.turn").last
    assert told in last.locator(".answer").inner_text()
    assert last.locator(".answer").get_attribute("lang") == lang
    assert last.locator(".rebuilt").count() == 1
    keep(page, f"chat-{lang}-{width}")

    last.get_by_role("button", name=why).click()
    drawer = page.locator("dialog.drawer")
    drawer.locator(".standalone").wait_for()
    assert drawer.locator(".typed").inner_text() == follow_up
    assert drawer.locator(".carried").count() >= 1
    assert drawer.locator(".slope").count() >= 1
    assert drawer.locator(".claims li").count() >= 1
    keep(page, f"why-{lang}-{width}")
    drawer.locator(".carried").first.click()
    drawer.wait_for(state="detached")

    last.locator("button.cite").first.click()
    quoted = page.locator("dialog mark").inner_text()
    assert told in quoted
    assert page.locator(".verbatim").get_attribute("lang") == lang
    keep(page, f"source-{lang}-{width}")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", JOURNEYS)
def test_documents_come_in_are_found_and_go(visit, locale, width, tmp_path):
    lang, *_, documents = JOURNEYS[locale]
    page = visit(locale, width)
    page.get_by_role("button", name=documents, exact=True).click()
    name = f"new-{lang}-{width}.txt"
    (tmp_path / name).write_text(f"The quokka {lang} {width} weighs 3 kilograms.\n", "utf-8")
    (tmp_path / "broken.bin").write_bytes(b"\x00\x01\x02" * 100)
    page.locator("#files").set_input_files([tmp_path / name, tmp_path / "broken.bin"])
    page.locator(".documents li", has_text=name).wait_for()
    assert "broken.bin" in page.locator(".failures").inner_text()
    page.locator(".look input").fill(f"quokka {lang} {width}")
    page.locator(".look input").press("Enter")
    page.locator(".hits li", has_text=f"{lang} {width}").first.wait_for()
    assert f"{word(page, 'way_bm25')} 1" in page.locator(".hits li").first.locator(".ranks").inner_text()
    keep(page, f"documents-{lang}-{width}")
    page.locator(".documents li", has_text=name).get_by_role("button").last.click()
    assert name in page.locator("dialog .asked-for").inner_text()
    page.locator("dialog .primary").click()
    page.locator(".documents li", has_text=name).wait_for(state="detached")


@everywhere
def test_enter_while_composing_does_not_send(visit, locale, width):
    question = JOURNEYS[locale][1]
    page = visit(locale, width)
    box = page.locator("#question")
    box.fill(question)
    for told in ("isComposing: true", "keyCode: 229"):
        box.dispatch_event("keydown", {"key": "Enter", **({"isComposing": True} if "is" in told else {"keyCode": 229})})
    page.wait_for_timeout(300)
    assert page.locator("li.turn").count() == 0
    assert box.input_value() == question
    box.press("Shift+Enter")
    assert box.input_value() == f"{question}\n"
    box.press("Enter")
    page.locator("li.turn .tools").wait_for()


@everywhere
def test_markup_in_a_document_is_text(visit, locale, width):
    page = visit(locale, width)
    ask(page, "What does the zebra note say?")
    assert "<script>" in page.locator(".answer").last.inner_text()
    page.locator("button.cite").first.click()
    page.locator("dialog mark").wait_for()
    assert page.locator("dialog img, dialog script").count() == 0
    assert page.evaluate("() => window.broken === undefined")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", JOURNEYS)
def test_a_conversation_is_found_renamed_branched_and_deleted(visit, locale, width):
    lang, question, follow_up, *_ = JOURNEYS[locale]
    name, edited = f"papaya {lang} {width}", question + " 2"
    page = visit(locale, width)
    ask(page, question)
    ask(page, follow_up)

    def to_the_talks():
        if width < 500 and not page.locator(".menu-open").count():
            page.locator(".menu").click()
            page.locator(".talks li.here, .talks li").first.wait_for()

    to_the_talks()
    here = page.locator(".talks li.here")
    here.wait_for()
    here.hover()
    here.locator(".icon").first.click()
    page.locator("dialog input").fill(name)
    page.keyboard.press("Enter")
    page.locator(".find").fill(name.upper())  # found whatever its case
    page.locator(".talks li", has_text=name).wait_for()
    assert page.locator(".talks li").count() == 1
    page.locator(".find").fill("")
    page.keyboard.press("Escape")

    page.locator("li.turn").last.hover()
    page.locator("li.turn").last.locator(".asked .icon").click()
    assert page.locator("#question").input_value() == follow_up
    page.locator("#question").fill(edited)
    page.locator("#question").press("Enter")
    page.locator("li.turn", has_text=edited).locator(".tools").wait_for()
    assert page.locator("li.turn").count() == 2
    to_the_talks()
    page.locator(".talks li", has_text=name).locator(".talk").click()
    page.locator("li.turn", has_text=follow_up).wait_for()
    assert page.locator("li.turn").count() == 2, "the conversation that was branched off is as it was"

    to_the_talks()
    mine = page.locator(".talks li", has_text=name)
    mine.hover()
    mine.locator(".icon").last.click()
    page.locator("dialog .asked-for", has_text=name).wait_for()
    page.keyboard.press("Escape")  # thought better of it
    page.locator("dialog").wait_for(state="detached")
    to_the_talks()
    mine.locator(".icon").last.click()
    page.locator("dialog .danger").click()
    mine.wait_for(state="detached")
    page.locator(".empty h1").wait_for()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", JOURNEYS)
def test_an_answer_is_judged_and_what_is_not_there_is_said_so(visit, locale, width):
    lang, question, *_ = JOURNEYS[locale]
    page = visit(locale, width)
    ask(page, question)
    up, down = page.locator(".turn .tools .icon").all()
    up.click()
    page.locator('.tools .icon[aria-pressed="true"]').wait_for()
    assert down.get_attribute("aria-pressed") is None
    ask(page, UNANSWERABLE[lang])
    last = page.locator("li.turn").last
    assert last.locator(".outcome.declined").count() == 1
    last.locator(".tools .link").first.click()
    page.locator("dialog .station").first.wait_for()
    keep(page, f"declined-{lang}-{width}")


@everywhere
def test_files_are_dropped_anywhere_on_the_page(visit, locale, width):
    page = visit(locale, width)
    page.locator("#question").wait_for()
    name = f"dropped-{JOURNEYS[locale][0]}-{width}.txt"
    dropped = page.evaluate_handle(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name, { type: "text/plain" }));
            return data;
        }""",
        [name, f"The numbat of {name} weighs 500 grams."],
    )
    page.dispatch_event("body", "dragenter", {"dataTransfer": dropped})
    assert page.locator(".drag .dropping").is_visible()
    page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    page.locator(".documents li", has_text=name).wait_for()
    assert name in page.locator(".progress").inner_text()
    assert not page.locator(".drag .dropping").is_visible()


@everywhere
def test_an_answer_is_copied(visit, locale, width):
    _, _, question, told, *_ = JOURNEYS[locale]
    page = visit(locale, width)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, JOURNEYS[locale][1])
    ask(page, question)
    last = page.locator("li.turn").last
    last.get_by_role("button", name=word(page, "copy"), exact=True).click()
    last.get_by_role("button", name=word(page, "copied")).wait_for()
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert told in copied
    assert copied.endswith("[1]")


@everywhere
def test_a_question_without_a_word_is_told_so_and_kept(visit, locale, width):
    page = visit(locale, width, refused=1)
    page.locator("#question").wait_for()
    talks = page.locator(".talks .talk").count()
    page.locator("#question").fill("👍")
    page.locator("#question").press("Enter")
    page.locator(".alert", has_text=word(page, "bad_empty_question")).wait_for()
    assert page.locator("#question").input_value() == "👍"
    assert page.locator("li.turn").count() == 0
    page.locator(".empty h1").wait_for()
    page.reload()
    page.locator("#question").wait_for()
    assert page.locator(".talks .talk").count() == talks, "no empty conversation is left behind"


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A service whose model says a word every tenth of a second."""
    with pytest.MonkeyPatch.context() as environment, slow_model() as model:
        environment.setenv("ANAPHOR_BASE_URL", model)
        environment.setenv("ANAPHOR_ANSWER_MODEL", "slow")
        environment.setenv("ANAPHOR_API_KEY", "k")
        service = Served(tmp_path_factory.mktemp("slow"))
        text = b"# Orin plan\n\nThe Orin plan costs 300 a month.\n"
        assert httpx.post(f"{service.url}/api/documents", files=[("files", ("a.md", text))]).status_code == 201
        yield service
        service.stop()


@everywhere
def test_a_turn_is_stopped_and_keeps_its_question(visit, slow, locale, width):
    page = visit(locale, width, url=slow.url)
    page.locator("#question").fill("What does Orin cost?")
    page.locator("#question").press("Enter")
    page.locator(".send.stopping").wait_for()
    page.locator(".thinking").wait_for()
    page.wait_for_timeout(500)
    keep(page, f"stopping-{JOURNEYS[locale][0]}-{width}")
    page.locator(".send.stopping").click()
    page.locator(".outcome.cancelled", has_text=word(page, "cancelled")).wait_for()
    assert page.locator(".bubble").inner_text() == "What does Orin cost?"
    assert page.locator(".send.stopping").count() == 0


@everywhere
def test_a_service_that_does_not_answer_is_said_so_and_nothing_typed_is_lost(visit, locale, width):
    question = JOURNEYS[locale][1]
    page = visit(locale, width, refused=1)
    page.route("**/turns", lambda route: route.abort())
    page.locator("#question").fill(question)
    page.locator("#question").press("Enter")
    page.locator(".alert", has_text=word(page, "unreachable")).wait_for()
    assert page.locator("#question").input_value() == question
    page.unroute("**/turns")
    page.locator("#question").press("Enter")
    page.locator("li.turn .tools").wait_for()
    assert page.locator(".answer").inner_text()


@everywhere
def test_no_serious_barrier_to_access(visit, locale, width):
    """Each language in light and dark: one on the wide screen, the other on the narrow one."""
    from axe_playwright_python.sync_playwright import Axe

    lang, question, follow_up, *_ = JOURNEYS[locale]
    dark = (list(JOURNEYS).index(locale) + WIDTHS.index(width)) % 2 == 0
    page = visit(locale, width, dark)
    page.locator("#question").wait_for()
    found = []

    def look(where):
        told = Axe().run(page).response
        assert len(told["passes"]) > 10, "nothing was looked at"
        found.extend(
            (where, violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
            for violation in told["violations"]
            if violation["impact"] in ("serious", "critical")
        )
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), where

    look("empty")
    ask(page, question)
    ask(page, follow_up)
    look("chat")
    page.locator("li.turn").last.get_by_role("button", name=word(page, "why")).click()
    page.locator("dialog .standalone").wait_for()
    look("why")
    keep(page, f"why-{'dark' if dark else 'light'}-{lang}-{width}")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=word(page, "library"), exact=True).click()
    page.locator(".documents li").first.wait_for()
    look("documents")
    assert found == []


@everywhere
def test_everything_is_reached_by_keyboard(visit, locale, width):
    page = visit(locale, width)
    page.locator("#question").wait_for()
    ask(page, JOURNEYS[locale][1])
    if width < 500:  # the list of conversations is behind a button, which is reached too
        reached(page, {word(page, "menu")})
        page.keyboard.press("Enter")
    wanted = {word(page, name) for name in ("why", "copy", "library", "memory", "fresh", "send")} | {"1"}
    reached(page, wanted)


NAMED = "(e => e.ariaLabel || e.textContent.trim().slice(0, 30) || e.id)(document.activeElement)"


def reached(page, wanted):
    """With the key Tab alone; the last one found has the focus."""
    for _ in range(900):  # every conversation in the list is a few stops, and other tests hold conversations too
        page.keyboard.press("Tab")
        here = page.evaluate(NAMED)
        wanted -= {name for name in wanted if name in here}
        if not wanted:
            return
    raise AssertionError(f"not reached with the keyboard: {sorted(wanted)}")


def test_with_a_key_in_the_store_the_page_asks_for_it(browser, tmp_path):
    import subprocess
    import sys

    from page.conftest import COMMAND, Served

    made = subprocess.run(
        [sys.executable, "-c", COMMAND, "keys", "create", "--store", "kept.db", "--for-user", "mei"],
        cwd=tmp_path, env={**os.environ, "ANAPHOR_EMBEDDER": "none"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    service = Served(tmp_path)
    try:
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(service.url)
        page.locator("#key").fill("anaphor-wrong")
        page.get_by_role("button", name="Enter").click()
        page.locator(".problem", has_text="unknown").wait_for()
        page.locator("#key").fill(made.stdout.strip())
        page.get_by_role("button", name="Enter").click()
        page.locator("#question").wait_for()
        ask(page, "Where is the key?")
        cookie = page.context.cookies()[0]
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        refused = page.evaluate("async () => (await fetch('/api/sessions', {method: 'POST', body: '{}'})).status")
        assert refused == 403
        page.get_by_role("button", name="Sign out").click()
        page.locator("#key").wait_for()
        page.reload()
        page.locator("#key").wait_for()
    finally:
        service.stop()


# what is said, what is remembered of it, "memory" and "history" on the page
REMEMBERED = {
    "zh-TW": ("我住在花蓮。", "花蓮", "記憶", "沿革"),
    "zh-CN": ("我住在无锡。", "无锡", "记忆", "沿革"),
    "ja-JP": ("札幌に住んでいます。", "札幌", "記憶", "経緯"),
    "en-GB": ("I live in Bergen now.", "Bergen", "Memory", "History"),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("locale", REMEMBERED)
def test_what_is_remembered_is_shown_with_its_source_and_taken_back(visit, locale, width):
    from axe_playwright_python.sync_playwright import Axe

    said, value, memory, history = REMEMBERED[locale]
    page = visit(locale, width)
    page.locator("#question").wait_for()
    ask(page, said)
    fact = page.locator(".fact.current", has_text=value)
    for _ in range(40):  # it is read in the background
        page.get_by_role("button", name=memory, exact=True).click()
        page.locator(".timeline li").first.wait_for()
        if fact.count():
            break
        page.wait_for_timeout(250)
    serious = [v["id"] for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    assert serious == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    keep(page, f"memory-{page.locator('html').get_attribute('lang')}-{width}")
    name = fact.first.get_attribute("data-fact")
    mine = page.locator(f".fact[data-fact='{name}']")
    mine.locator("b").click()
    assert value in page.locator("dialog mark").inner_text()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    mine.get_by_role("button", name=history).click()
    page.locator("dialog li").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    mine.locator(".icon").last.click()
    page.locator("dialog .danger").click()
    mine.wait_for(state="detached")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_contradiction_waits_for_a_decision_with_both_sources(visit, width):
    from axe_playwright_python.sync_playwright import Axe

    page = visit("en-GB", width)
    page.locator("#question").wait_for()
    for said in (f"My birthday is {width % 7 + 2} May.", f"My birthday is {width % 7 + 12} May."):
        ask(page, said)
    case = page.locator(".case")
    for _ in range(40):
        page.get_by_role("button", name="Memory", exact=True).click()
        page.locator(".timeline li, .case").first.wait_for()
        if case.count():
            break
        page.wait_for_timeout(250)
    assert case.first.locator(".side").count() >= 2
    serious = [v["id"] for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    assert serious == []
    keep(page, f"review-en-{width}")
    case.first.get_by_role("button", name="It is so").first.click()
    case.wait_for(state="detached")
    assert page.locator(".fact.current", has_text="May").count() >= 1
