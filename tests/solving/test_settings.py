"""The settings after the colon in an engine's name."""

from dataclasses import dataclass
from typing import Literal

import pytest

from gemhunter.errors import InputError, UnknownNameError
from gemhunter.solving.settings import defaults, name_with, read_settings, without_word


@dataclass(frozen=True, slots=True)
class Oven:
    """Settings of every kind."""

    heat: Literal["gas", "coal"] = "gas"
    grill: bool = False
    trays: int = 2
    door_gap: float = 0.5

    def __post_init__(self) -> None:
        if self.trays < 1:
            raise InputError(f"oven: trays are at least 1, not {self.trays}")


@pytest.mark.parametrize(
    ("argument", "settings"),
    [
        ("", Oven()),
        ("coal", Oven(heat="coal")),
        ("heat=coal", Oven(heat="coal")),
        ("grill", Oven(grill=True)),
        ("grill=no,trays=3", Oven(trays=3)),
        (" door-gap=1e-3 , coal", Oven(heat="coal", door_gap=0.001)),
    ],
)
def test_settings_are_read(argument: str, settings: Oven) -> None:
    assert read_settings(Oven, "oven", argument) == settings


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("trays=many", "oven: trays takes a whole number, found 'many'"),
        ("trays=0", "oven: trays are at least 1, not 0"),
        ("trays", "oven: trays takes a whole number, found ''"),
        ("grill=maybe", "oven: grill takes yes or no, found 'maybe'"),
        ("door-gap=", "oven: door-gap takes a number, found ''"),
        ("heat=electric", "oven: heat is gas or coal, not 'electric'"),
    ],
)
def test_values_that_make_no_sense_are_refused(argument: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        read_settings(Oven, "oven", argument)


@pytest.mark.parametrize(
    ("argument", "nearest"), [("tray=3", "trays"), ("cole", "coal"), ("heat=gass", "gas"), ("gril", "grill")]
)
def test_unknown_settings_and_choices_are_met_with_the_nearest(argument: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean '{nearest}'"):
        read_settings(Oven, "oven", argument)


def test_a_word_that_means_another_engine_is_taken_out_and_suggested() -> None:
    assert without_word("coal, microwave,trays=3", "microwave") == "coal,trays=3"
    assert without_word("order=microwave", "microwave") == ""
    assert without_word("coal,trays=3", "microwave") is None
    with pytest.raises(UnknownNameError, match="did you mean 'microwave'"):
        read_settings(Oven, "oven", "microwaves", also=["microwave"])


def test_the_name_of_an_engine_tells_what_differs_from_the_defaults() -> None:
    assert name_with("oven", Oven()) == "oven"
    assert name_with("oven", Oven(grill=True, door_gap=0.25)) == "oven:grill=yes,door-gap=0.25"
    assert name_with("oven:small", Oven(trays=1)) == "oven:small,trays=1"
    assert read_settings(Oven, "oven", "grill=yes,door-gap=0.25") == Oven(grill=True, door_gap=0.25)


def test_defaults_are_listed_as_they_would_be_typed() -> None:
    assert defaults(Oven) == ("heat=gas", "grill=no", "trays=2", "door-gap=0.5")
