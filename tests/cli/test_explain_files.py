"""The files that `gemhunter explain` draws."""

import json
import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from gemhunter.cli.main import run
from gemhunter.explanation.explain import explain
from gemhunter.play.game_names import read_grid

Captured = pytest.CaptureFixture[str]


def title_of(path: Path) -> str | None:
    """What a picture says to a screen reader."""
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))[0].text


def test_the_page_has_every_step(desk: Path) -> None:
    assert run(["explain", "sample:9x9", "--html", "steps.html"]) == 0
    page = (desk / "steps.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'type="application/json">(.*?)</script>', page)
    sentences = [scene["sentence"] for scene in json.loads(data)["scenes"]]
    assert sentences[1:-1] == [step.sentence for step in explain(read_grid("sample:9x9")).steps]


def test_the_picture_shows_the_hardest_step_or_the_one_that_is_named(desk: Path) -> None:
    steps = explain(read_grid("sample:9x9")).steps
    levels = [step.rule.level for step in steps]
    hardest = levels.index(max(levels))
    assert run(["explain", "sample:9x9", "--svg", "hard.svg"]) == 0
    name = steps[hardest].rule.name
    assert title_of(desk / "hard.svg") == f"sample:9x9: Step {hardest + 1} of {len(steps)} · {name}"
    assert run(["explain", "sample:9x9", "--svg", "second.svg", "--step", "2"]) == 0
    assert title_of(desk / "second.svg") == f"sample:9x9: Step 2 of {len(steps)} · one-clue"


@pytest.mark.parametrize(("more", "heading"), [([], "Step 1 of 1"), (["--not"], "Conflict")])
def test_the_picture_of_a_cell_shows_how_it_ends(more: list[str], heading: str, desk: Path) -> None:
    (desk / "b.txt").write_text("1, _\n1, 1\n", encoding="utf-8")
    assert run(["explain", "b.txt", "--cell", "r1c2", "--svg", "cell.svg", *more]) == 0
    assert heading in (title_of(desk / "cell.svg") or "")


def test_the_animation_has_a_frame_for_each_step_and_two_more(desk: Path) -> None:
    assert run(["explain", "sample:3x4", "--gif", "steps.gif"]) == 0
    with Image.open(BytesIO((desk / "steps.gif").read_bytes())) as image:
        assert getattr(image, "n_frames", 1) == len(explain(read_grid("sample:3x4")).steps) + 2


def test_a_board_without_solution_has_pictures_too(desk: Path) -> None:
    (desk / "four.txt").write_text("4, _\n_, _\n", encoding="utf-8")
    assert run(["explain", "four.txt", "--html", "a.html", "--svg", "a.svg", "--gif", "a.gif"]) == 1
    assert title_of(desk / "a.svg") == "four.txt: Conflict"
    assert {"a.html", "a.gif"} <= {path.name for path in desk.iterdir()}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--step", "2"], "add --svg FILE"),
        (["--svg", "a.svg", "--step", "99"], "there is no step 99: the explanation has"),
    ],
)
def test_a_step_that_cannot_be_drawn_is_refused(
    words: list[str], message: str, desk: Path, capsys: Captured
) -> None:
    assert run(["explain", "sample:3x4", *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert (printed.out, (desk / "a.svg").exists()) == ("", False)
