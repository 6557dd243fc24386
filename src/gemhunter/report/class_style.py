"""What the page of a class adds to the style sheet of reports."""

CLASS_RULES = """
:root{--right:#11663a;--right-soft:#d8f1e2;--wrong:#a61b1b;--wrong-soft:#fbdcdb;--ask:#7a4a00;--ask-soft:#fdebc8}
@media screen and (prefers-color-scheme:dark){:root{--right:#9fe6c0;--right-soft:#173d30;--wrong:#ffb3b0;
 --wrong-soft:#4a222b;--ask:#ffd58a;--ask-soft:#453516}}
body{max-width:60rem}
.overview th[scope=row]{font-weight:600;border-bottom:1px solid var(--line);white-space:nowrap}
.overview tfoot td,.overview tfoot th[scope=row]{color:var(--quiet);border-bottom:0;font-weight:400}
.overview td.number,.overview th.number{padding-left:1rem}
th.mark,td.mark{text-align:center;padding:.36rem .6rem}
td.mark{font-weight:600}td.mark i{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
td.right{background:var(--right-soft)}td.wrong{background:var(--wrong-soft)}
td.unreadable,td.unverified{background:var(--ask-soft)}
.right{color:var(--right)}.wrong{color:var(--wrong)}.unreadable,.unverified{color:var(--ask)}
.no-answer,.missing{color:var(--quiet)}
.legend{font-size:.83rem;color:var(--quiet)}.legend span{font-weight:600;white-space:nowrap}
.student h2{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.student .points{font-size:1.1rem;color:var(--quiet);white-space:nowrap}
.student h3{margin:1.5rem 0 .3rem}.student h3 small{font-weight:400;color:var(--quiet);margin-left:.4rem}
.badge{display:inline-block;font-size:.8rem;border-radius:.9rem;padding:.1rem .65rem;margin-right:.35rem;
 background:var(--soft);vertical-align:.1em}
.badge.right{background:var(--right-soft)}.badge.wrong{background:var(--wrong-soft)}
.badge.unreadable,.badge.unverified{background:var(--ask-soft)}
.case{break-inside:avoid}.answer{margin:.2rem 0 .8rem}.answer p{margin:.2rem 0}
.answer ul{margin:.2rem 0 .6rem}
.from{font-size:.92rem}.grid .named{fill:none;stroke:var(--wrong);stroke-width:2.5;rx:3px}
@media print{*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
 .student{break-before:page}.student h2{border-top:0;margin-top:0;padding-top:0}}
"""
