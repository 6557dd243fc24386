"""Bar charts as SVG pictures: groups of bars, each with its number above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

COLOURS = ("#22c55e", "#eab308", "#3b82f6", "#a855f7")
BAR, GAP, HEIGHT, MARGIN = 54, 46, 220, 40
"""Pixels: the width of a bar, between groups, the height of a bar of 100 %, and around the chart."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each group, `shares` from 0 to 1, under one name."""

    name: str
    shares: tuple[float, ...]


def draw_bars(title: str, groups: Sequence[str], series: Sequence[Bars]) -> str:
    """A complete SVG document; bars are as high as their share of the largest one."""
    width = len(groups) * (len(series) * BAR + GAP) + GAP + 2 * MARGIN
    top = max((share for bars in series for share in bars.shares), default=0) or 1
    parts = [f'<text x="{width / 2:g}" y="26" class="title">{escape(title)}</text>']
    base = MARGIN + 30 + HEIGHT
    for column, group in enumerate(groups):
        left = MARGIN + GAP + column * (len(series) * BAR + GAP)
        for number, bars in enumerate(series):
            share, place = bars.shares[column], (left + number * BAR, base)
            parts.append(_bar(place, HEIGHT * share / top, f"{share:.1%}", COLOURS[number]))
        middle = left + len(series) * BAR / 2
        parts.append(f'<text x="{middle:g}" y="{base + 22}">{escape(group)}</text>')
    parts.append(f'<line x1="{MARGIN}" y1="{base}" x2="{width - MARGIN}" y2="{base}"/>')
    for number, bars in enumerate(series):
        x, y = MARGIN + GAP, base + 48 + 22 * number
        parts.append(f'<rect x="{x}" y="{y - 11}" width="13" height="13" fill="{COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 22}" y="{y}" class="legend">{escape(bars.name)}</text>')
    return _document(width, base + 48 + 22 * len(series), "\n".join(parts))


def _bar(place: tuple[int, int], height: float, label: str, colour: str) -> str:
    """A bar that stands at `place`, its left lower corner."""
    x, y = place[0], place[1] - height
    box = f'<rect x="{x + 3}" y="{y:.1f}" width="{BAR - 6}" height="{height:.1f}" rx="3" fill="{colour}"/>'
    return f'{box}<text x="{x + BAR / 2:g}" y="{y - 6:.1f}">{label}</text>'


def _document(width: int, height: int, body: str) -> str:
    style = (
        "text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1e293b}"
        ".title{font-weight:600;font-size:16px}.legend{text-anchor:start}line{stroke:#94a3b8}"
    )
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    back = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n{back}\n{body}\n</svg>\n'
    )
