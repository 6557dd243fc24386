"""Bar charts as SVG pictures: groups of bars, each with its number above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from gemhunter.render.palette import BAR_COLOURS, INK_COLOUR, LINE_COLOUR, PAPER_COLOUR

BAR_PIXELS, GROUP_GAP, HIGHEST_BAR, CHART_MARGIN = 54, 46, 220, 40
"""Pixels: the width of a bar, between groups, the height of the largest bar, and around the chart."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each group, `shares` from 0 to 1, under one name."""

    name: str
    shares: tuple[float, ...]


def draw_bars(title: str, groups: Sequence[str], series: Sequence[Bars]) -> str:
    """A complete SVG document; bars are as high as their share of the largest one."""
    width = len(groups) * (len(series) * BAR_PIXELS + GROUP_GAP) + GROUP_GAP + 2 * CHART_MARGIN
    top = max((share for bars in series for share in bars.shares), default=0) or 1
    parts = [f'<text x="{width / 2:g}" y="26" class="title">{escape(title, quote=False)}</text>']
    base = CHART_MARGIN + 30 + HIGHEST_BAR
    for column, group in enumerate(groups):
        left = CHART_MARGIN + GROUP_GAP + column * (len(series) * BAR_PIXELS + GROUP_GAP)
        for number, bars in enumerate(series):
            share, corner = bars.shares[column], (left + number * BAR_PIXELS, base)
            parts.append(_bar(corner, HIGHEST_BAR * share / top, f"{share:.1%}", BAR_COLOURS[number]))
        middle = left + len(series) * BAR_PIXELS / 2
        parts.append(f'<text x="{middle:g}" y="{base + 22}">{escape(group, quote=False)}</text>')
    parts.append(f'<line x1="{CHART_MARGIN}" y1="{base}" x2="{width - CHART_MARGIN}" y2="{base}"/>')
    for number, bars in enumerate(series):
        x, y = CHART_MARGIN + GROUP_GAP, base + 48 + 22 * number
        parts.append(f'<rect x="{x}" y="{y - 11}" width="13" height="13" fill="{BAR_COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 22}" y="{y}" class="legend">{escape(bars.name, quote=False)}</text>')
    return _document(width, base + 48 + 22 * len(series), "\n".join(parts))


def _bar(corner: tuple[int, int], height: float, label: str, colour: str) -> str:
    """A bar whose lower left corner is at `corner`."""
    x, y = corner[0], corner[1] - height
    size = f'width="{BAR_PIXELS - 6}" height="{height:.1f}"'
    box = f'<rect x="{x + 3}" y="{y:.1f}" {size} rx="3" fill="{colour}"/>'
    return f'{box}<text x="{x + BAR_PIXELS / 2:g}" y="{y - 6:.1f}">{label}</text>'


def _document(width: int, height: int, body: str) -> str:
    style = (
        f"text{{font:13px system-ui,sans-serif;text-anchor:middle;fill:{INK_COLOUR}}}"
        f".title{{font-weight:600;font-size:16px}}.legend{{text-anchor:start}}line{{stroke:{LINE_COLOUR}}}"
    )
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    back = f'<rect width="{width}" height="{height}" fill="{PAPER_COLOUR}"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n{back}\n{body}\n</svg>\n'
    )
