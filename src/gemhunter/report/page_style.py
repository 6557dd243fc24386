"""The style sheet of a report's page: on light and dark screens, narrow ones, and on A4 paper."""

from gemhunter.report.chart_style import Theme
from gemhunter.report.page_svg import colour_rules

_LIGHT = (
    "--paper:#ffffff;--soft:#f1f5f9;--line:#dbe2ea;--quiet:#526077;--accent:#0b5ea8;"
    "--clue:#ffffff;--hidden:#dfe5ec;--trap:#fbd0cf;--gem:#cdeeda;--trap-ink:#a61b1b;--gem-ink:#11663a;"
    "--grid-line:#a9b4c3;"
)
_DARK = (
    "--paper:#0f172a;--soft:#1b2740;--line:#2f3d58;--quiet:#a3b1c6;--accent:#7cc0ff;"
    "--clue:#16213a;--hidden:#33425e;--trap:#5d2731;--gem:#1d4a3a;--trap-ink:#ffb3b0;--gem-ink:#9fe6c0;"
    "--grid-line:#4a5a77;"
)

_RULES = """
*{box-sizing:border-box}
html{font-size:17px;color-scheme:light dark;scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:3rem 1.5rem 5rem;max-width:54rem;background:var(--paper);color:var(--ink);
 font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,"DejaVu Serif",Georgia,serif;line-height:1.55}
h1,h2,h3,h4,nav,figcaption,caption,th,td,.subtitle,.grid-label{
 font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif}
h1{font-size:2.1rem;line-height:1.15;margin:0 0 .4rem;letter-spacing:-.015em}
h2{font-size:1.5rem;margin:3.6rem 0 1rem;padding-top:1.1rem;border-top:2px solid var(--line)}
h3{font-size:1.16rem;margin:2.6rem 0 .6rem}h4{font-size:1rem;margin:1.9rem 0 .4rem}
h1,h2,h3,h4{text-wrap:balance;break-after:avoid}
p,ul{margin:.7rem 0}li{margin:.3rem 0}
.subtitle{color:var(--quiet);margin:0 0 2rem}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.15em}
code,pre{font-family:ui-monospace,"Cascadia Code","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.86em;background:var(--soft);border-radius:.25rem;padding:.08em .3em;overflow-wrap:anywhere}
th code{background:none;padding:0;overflow-wrap:normal}
nav{background:var(--soft);border-radius:.6rem;padding:1rem 1.4rem;font-size:.92rem}
nav h2{border:0;margin:0;padding:0;font-size:.95rem}
nav ol{margin:.5rem 0 0;padding-left:1.4rem;columns:2;column-gap:2.5rem}
nav li{margin:.2rem 0;break-inside:avoid}
figure{margin:1.6rem 0;break-inside:avoid}
figcaption,caption{color:var(--quiet);font-size:.83rem;line-height:1.45;text-align:left}
figcaption{margin-top:.5rem}caption{caption-side:top;padding:0 0 .45rem}
figcaption b,caption b{color:var(--ink)}
caption a,figcaption a{color:inherit}
.scroll{overflow-x:auto;margin:1.5rem 0;-webkit-overflow-scrolling:touch}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
table{border-collapse:collapse;font-size:.83rem;font-variant-numeric:tabular-nums;min-width:40%}
thead{display:table-header-group}
th,td{padding:.36rem .75rem .36rem 0;text-align:left;vertical-align:baseline;
 border-bottom:1px solid var(--line)}
th{font-weight:600;border-bottom:2px solid var(--faint);vertical-align:bottom}
td.number,th.number{text-align:right}tbody tr:hover{background:var(--soft)}
tr{break-inside:avoid}
pre{background:var(--soft);border-radius:.5rem;padding:.9rem 1.1rem;overflow-x:auto;font-size:.78rem;
 line-height:1.5;margin:0}
svg.chart,svg.graph{max-width:100%;height:auto;display:block}
svg.chart{stroke-linejoin:round}svg.chart text{fill:var(--ink)}
.grids{display:flex;flex-wrap:wrap;gap:1.4rem 2rem;margin:1.3rem 0}
.grids figure{margin:0;max-width:100%}svg.grid{max-width:100%;height:auto;display:block}
.grid-label{font-size:.83rem;color:var(--quiet);margin:0 0 .35rem;max-width:22rem}
.grid text{font:600 14px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle;fill:var(--ink)}
.grid .clue{fill:var(--clue)}.grid .hidden{fill:var(--hidden)}.grid .trap{fill:var(--trap)}
.grid .gem{fill:var(--gem)}
.grid .lines{fill:none;stroke:var(--grid-line);stroke-width:1}
.grid text.t{fill:var(--trap-ink)}.grid text.g{fill:var(--gem-ink)}.grid text.n0{fill:var(--quiet)}
.graph text{font:13px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle;fill:#1e293b}
.graph .title{text-anchor:start;fill:var(--ink)}.graph rect{stroke:#475569}.graph line{stroke:var(--quiet)}
.graph line.cut{stroke:#d1493f;stroke-dasharray:6 5;stroke-width:2}
@media (max-width:40rem){html{font-size:16px}body{padding:1.5rem 1rem 3rem}nav ol{columns:1}}
@media print{
 html{font-size:10.5pt}body{padding:0;max-width:none}@page{size:A4;margin:18mm 17mm 20mm}
 h2{break-before:auto;margin-top:2rem}.scroll{overflow:visible;break-inside:avoid}
 table{font-size:8.2pt}th,td{padding-right:.5rem}pre{white-space:pre-wrap;font-size:8pt}
 a{color:inherit;text-decoration:none}svg.chart{max-height:6.6cm;width:auto}
 th code{overflow-wrap:anywhere}p{orphans:3;widows:3}
}
"""


def style_sheet() -> str:
    """All rules; paper is always light."""
    light, dark = _LIGHT + colour_rules(Theme.LIGHT), _DARK + colour_rules(Theme.DARK)
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{_RULES}"
