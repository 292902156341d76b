"""What the playground costs its browser: the first tree, and steps of a beam of 16 on 40 words, scrubbed and
played.

``python -m benchmarks.playground`` needs playwright and the system's chromium, as `make test-browser` does.
Times are processor time of the main thread, which a busy machine changes little; frames are what was seen.
"""

from __future__ import annotations

import shutil
from typing import Any
from urllib.parse import quote

from tests.browser.test_teaching import LONG
from tests.serve.conftest import Served

SCRUB = """async () => {
    const slider = document.querySelector(".player input"), gaps = [];
    let last = performance.now();
    for (let at = 1; at <= +slider.max; at++) {
        await new Promise(requestAnimationFrame);
        gaps.push(performance.now() - last);
        last = performance.now();
        slider.value = at;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return gaps;
}"""
WHEN = """new MutationObserver((_, watch) => {
    if (!document.querySelector("svg.tree path.arc")) return;
    window.first = performance.now();
    watch.disconnect();
}).observe(document, { subtree: true, childList: true });"""
LOADS = 9
PLAY = """async () => {
    const gaps = [], end = performance.now() + 7000;
    for (let last = performance.now(); last < end; ) {
        await new Promise(requestAnimationFrame);
        gaps.push(performance.now() - last);
        last = performance.now();
    }
    return gaps;
}"""


def main() -> None:
    """Measure both, and print them."""
    from playwright.sync_api import sync_playwright

    served = Served("en", "--playground")
    try:
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            print(f"first tree: {first_tree(browser, served.port)}")
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            place = f"http://127.0.0.1:{served.port}/#view=beam&search=beam:16&step=0&text={quote(LONG)}"
            page.goto(place)
            page.get_by_role("button", name="Take the guess for gold").click()
            page.wait_for_selector("table.methods")
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            for name, script in (("scrubbed", SCRUB), ("played", PLAY)):
                page.get_by_role("button", name="First step").click()
                page.wait_for_timeout(1500)
                if name == "played":
                    page.get_by_role("button", name="Play", exact=True).click()
                before = metrics(session)
                gaps = sorted(page.evaluate(script))
                after = metrics(session)
                task, script_ = (1000 * (after[key] - before[key]) / len(gaps) for key in after)
                median, late = gaps[len(gaps) // 2], gaps[int(0.95 * len(gaps))]
                print(f"{name}: {len(gaps)} frames, median {median:.1f} ms, 95th percentile {late:.1f} ms")
                print(f"  ms of the main thread a frame: {task:.2f}, of them script {script_:.2f}")
            browser.close()
    finally:
        served.kill()


def first_tree(browser: Any, port: int) -> str:
    """Return how long it takes from the address to the first arc, each time with nothing in the cache."""
    shown, busy = [], []
    for _ in range(LOADS):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(WHEN)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("svg.tree path.arc")
        shown.append(page.evaluate("window.first"))
        busy.append(1000 * metrics(session)["TaskDuration"])
        page.context.close()
    shown, busy = sorted(shown), sorted(busy)
    return (
        f"median {shown[LOADS // 2]:.0f} ms of {LOADS} ({shown[0]:.0f} to {shown[-1]:.0f}), "
        f"of them {busy[LOADS // 2]:.0f} ms of the page's main thread"
    )


def metrics(session: Any) -> dict[str, float]:
    """Return what the browser has counted so far."""
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return {name: found[name] for name in ("TaskDuration", "ScriptDuration")}


if __name__ == "__main__":
    main()
