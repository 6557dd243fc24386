"""What the sentences of an answer file claim, and whose answer a heading announces.

Claims are understood in English, Vietnamese and Chinese. Vietnamese is read without its marks, which many
programs leave out: the patterns below are for lines as `_without_marks` makes them.
"""

import re
import unicodedata
from enum import StrEnum

from gemhunter.printable import printable

_GAVE_UP = re.compile(
    r"\b(?:gave[ -]up|give[sn]?[ -]up|(?:(?:time|step|memory)\s+)?limit(?!\s*[:=(]*\s*\d)"
    r"|time[ds]?[ -]?out|out of time|tle"
    r"|exceed(?:ed|s)?|too (?:long|large|many)|skipped|failed|interrupted|aborted"
    r"|(?:het|qua|vuot qua) (?:thoi gian|gio|bo nho)|qua (?:lau|lon)|vuot qua"
    r"|gioi han(?!(?: thoi gian| bo nho)?\s*[:=(]*\s*\d)|bo (?:cuoc|qua)|that bai"
    r"|chua (?:co|tim (?:thay|duoc|ra)|giai (?:xong|duoc)))\b"
    r"|[超逾][時时]|[時时][間间](?:到|用完|不足)|超[過过出]|放[棄弃]|跳[過过]|未完成|尚未|太久",
    re.I,
)
_IN_TIME = re.compile(
    r"\b(?:(?:within|before)\s+(?:the\s+)?(?:\d|time|given|allowed|allotted|available|deadline)"
    r"|in\s+(?:the\s+)?(?:(?:given|allowed|allotted|available)\s+)?time\b(?!\s*[:=\d])|so far|yet"
    r"|trong (?:thoi gian|gioi han)\b(?!\s*[:=\d])|truoc khi het|kip thoi)|[時时][間间限][內内]|限[時时]",
    re.I,
)
"""Makes "no solution found" a matter of time."""

_NO_SOLUTION = re.compile(
    r"\b(?:no\s+(?:valid\s+|feasible\s+|possible\s+)?solutions?|0\s+solutions|solutions?\s+(?:was\s+|were\s+)?not\s+found"
    r"|(?:not?|n't)\s+have\s+(?:a|any)\s+solutions?|(?:could|did|can)\s*(?:not|n't)\s+find\s+(?:a|any)\s+(?:valid\s+)?solutions?"
    r"|unsat(?:isfiable)?(?!\s+(?:clauses?|cores?|constraints?))|refuted|unsolvable|not\s+solvable"
    r"|cannot\s+be\s+solved|infeasible|impossible"
    r"|vo nghiem|kh?o(?:ng)? (?:he )?(?:co|ton tai|(?:the )?tim (?:thay|duoc|ra)|thay) (?:bat ky |mot )?"
    r"(?:loi giai|nghiem|giai phap|phuong an|cach giai|solution)|khong (?:the )?giai duoc|khong the giai"
    r")\b(?!\s*[:=?]\s*(?:false|0|no|none)\b)"
    r"|[無无]解(?![釋释析說说碼码壓压除])|(?:[沒没]有|找不到|不存在|未找到)(?:任何|可行|有效|合法)?的?解"
    r"(?![釋释析說说碼码壓压除])|[無无]法(?:求解|解[決决])|不可(?:[滿满]足|解)",
    re.I,
)
_MAYBE_TIME = re.compile(
    r"\b(?:after|in|sau|trong)\s+\d{2,}\s*(?:s|secs?|seconds?|min|mins?|minutes?|h|hours?|giay|phut|gio)\b"
    r"|(?<![\d.])\d{2,}\s*(?:秒|分[鐘钟]|小[時时])",
    re.I,
)
"""A round time that can be a limit as well as what a proof took."""

_DOUBTFUL = re.compile(
    r"\bnot\s+(?:\w+\s+)?(?:no\s+solution|unsat|refuted|unsolvable|infeasible|impossible)|\?\s*$|\btodo\b"
    r"|\bno\s+solutions?(?:\.\w+|\s+(?:method|case|file|named)\b)|\bnot\s+find\s+that\b"
    r"|\bkhong (?:phai )?(?:la )?vo nghiem\b|\bkhong phai\b|\bco (?:the|le|phai)\b|\bneu\b|\bhay khong\b"
    r"|(?:不是|不|[並并]非|有|若|如果)[無无]解|是否|可能|[嗎吗]|？\s*$",
    re.I,
)
"""A denial, a question or a remark about something else, in the words of a claim."""

_REMARK = re.compile(
    r"\W*((total|running|execution|solving|elapsed|run)\s*)*(time|runtime|duration|memory)\b"
    r"|\W*\d[\d.,]*\s*(m?s|sec\w*)?\W*$",
    re.I,
)
_BOARD_NAME = re.compile(r"\(\d+\s*[x×]\s*\d+\)\s*$")
"""Ends the name of a board above it, whatever words are in that name."""

_DECORATION = " \t=-*#:：[]<>|_~.+─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯"
_KIND = re.compile(
    r"(?:(?:algorithm|algo|solver|method|engine|approach|strategy|technique)s?|using"
    r"|solved (?:by|with|using))(?:\s+(?:used|name))?\s*#?\d*\s*[:=]+\s*(?=\S)",
    re.I,
)
"""Words before a colon that say what kind of thing the name after it is."""

_MEASURED = re.compile(
    r"\s*[,;|–(-]\s*(?:(?:total|running|execution|elapsed)\s+)?(?:time|took|runtime|in \d).*", re.I
)

_CLAIM_PREFIX = re.compile(r"\W*(?:\[[^\]]*\]|[^:：]*[:：])?\s*")
"""What stands before a claim: nothing, `[pysat]` or `DPLL:`."""

_BASE_LETTERS = {"đ": "d", "Đ": "D"}
"""Of letters that Unicode does not decompose."""

LONGEST_LABEL = 80
"""Characters of a label that are kept."""

_STATE = re.compile(
    r"|.*\b(?:steps?|iterations?|rounds?|states?|after|initial|current|progress|level)\b.*", re.I
)


class Claim(StrEnum):
    """What a section says when it shows no filled grid."""

    NO_SOLUTION = "no solution"
    GAVE_UP = "gave up"
    UNFILLED = "unfilled"
    """The board as it was given."""

    EMPTY = "empty"
    """A file without any text."""


def find_claim(line: str) -> tuple[Claim | None, int] | None:
    """What a line claims, and where in it; None in place of the claim if it can be either.

    "Limit reached, no solution found" claims a limit.
    """
    line = _without_marks(line)
    if _BOARD_NAME.search(line):
        return None
    gave_up, none = _GAVE_UP.search(line), _NO_SOLUTION.search(line)
    if none is not None and _DOUBTFUL.search(line):
        return None, none.start()
    if none is None:
        return (Claim.GAVE_UP, gave_up.start()) if gave_up else None
    if gave_up or _IN_TIME.search(line):
        return Claim.GAVE_UP, min(none.start(), gave_up.start() if gave_up else none.start())
    return (None if _MAYBE_TIME.search(line) else Claim.NO_SOLUTION), none.start()


def _without_marks(line: str) -> str:
    """A line with as many characters, each without the marks around it: `Vô nghiệm` becomes `Vo nghiem`."""
    if line.isascii():
        return line
    return "".join(_BASE_LETTERS.get(sign) or unicodedata.normalize("NFD", sign)[0] for sign in line)


def is_bare_claim(line: str) -> bool:
    """Whether a line says "no solution", perhaps after a solver's name, and so is not a grid's heading."""
    found = find_claim(line)
    return (
        found is not None
        and found[0] is Claim.NO_SOLUTION
        and bool(_CLAIM_PREFIX.fullmatch(line[: found[1]]))
    )


def is_heading(line: str) -> bool:
    """Whether a line that claims nothing has words other than a measurement."""
    return bool(line.strip(_DECORATION)) and not _REMARK.match(line)


def claimant(before: str, heading: str) -> str:
    """Who makes a claim: `DPLL:` in front of it, or the heading above it, or whatever is in front."""
    own = label_of(before)
    is_own = before.rstrip().endswith((":", "：", "]", "-", "=", ">", "|", "–", "—"))
    return own if is_own or not heading else label_of(heading)


def label_of(heading: str) -> str:
    """`[pysat:g4] solved` is about `pysat:g4`; `=== DPLL: 3 ms` and `Algorithm: DPLL` are about `DPLL`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return shown_label(bracketed[1])
    words = heading.strip(_DECORATION)
    if kind := _KIND.match(words):
        return shown_label(_MEASURED.sub("", words[kind.end() :]).strip(_DECORATION))
    return shown_label(re.split(r":(?:\s|$)|：", words)[0].strip(_DECORATION))


def shown_label(label: str) -> str:
    """A label as tables have it: printable, and not too long."""
    shown = printable(label)
    return shown if len(shown) <= LONGEST_LABEL else f"{shown[: LONGEST_LABEL - 1]}…"


def is_state_label(label: str) -> bool:
    """Whether a label names no solver, but at most a step on its way: nothing at all, or `Step 3`."""
    return _STATE.fullmatch(label) is not None
