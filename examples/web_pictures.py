"""Draws docs/web.png and docs/web.gif: the web page, driven from a program in Chromium.

python examples/web_pictures.py docs
"""

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from shutil import which

from PIL import Image
from playwright.sync_api import Page, sync_playwright

WIDTH, HEIGHT = 1280, 840
GIF_WIDTH, COLOURS = 800, 64
FIRST_MILLISECONDS, STEP_MILLISECONDS, LAST_MILLISECONDS = 1500, 1400, 4000
STEPS_SHOWN = 12
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def draw(page: Page, address: str, folder: Path) -> None:
    page.goto(address)
    page.get_by_text("This board has 24 solutions.").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / "web.png")
    frames = [Image.open(BytesIO(shot)) for shot in explained(page, address)]
    small = [smaller(frame) for frame in frames]
    times = [FIRST_MILLISECONDS, *[STEP_MILLISECONDS] * (len(small) - 2), LAST_MILLISECONDS]
    small[0].save(folder / "web.gif", save_all=True, append_images=small[1:], duration=times, loop=0)


def explained(page: Page, address: str) -> Iterator[bytes]:
    """The tab Understand, step by step."""
    page.goto(f"{address}#understand")
    page.get_by_role("button", name="what if").click()
    page.get_by_role("button", name="Next").first.wait_for()
    page.wait_for_load_state("networkidle")
    for _ in range(STEPS_SHOWN + 1):
        yield page.screenshot()
        page.get_by_role("button", name="Next").first.click()
        page.wait_for_timeout(300)
    yield page.screenshot()


def smaller(frame: Image.Image) -> Image.Image:
    size = (GIF_WIDTH, round(frame.height * GIF_WIDTH / frame.width))
    return (
        frame.convert("RGB")
        .resize(size, Image.Resampling.LANCZOS)
        .quantize(COLOURS, dither=Image.Dither.NONE)
    )


def main() -> None:
    folder = Path(sys.argv[1])
    command = [sys.executable, "-m", "gemhunter", "web", "--no-browser", "--port", "0", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as driver:
        try:
            address = (server.stdout.readline() if server.stdout else "").split()[-1]
            browser = driver.chromium.launch(executable_path=which("chromium"), args=FLAGS)
            draw(browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}), address, folder)
            browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
