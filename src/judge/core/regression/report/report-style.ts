/** The look of a report of an analysis; light or dark as the reader has it. */
export const ANALYSIS_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #59636e; --back: #fff; --band: #e6ebf0; --rule: #d5dae0;
  --worse: #a8330b; --better: #00684a; --old: #0b6fb3; --worseback: #fbdccb; --betterback: #d3efe4; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --quiet: #9aa5b1; --back: #14171a; --band: #2a3138; --rule: #343b42;
  --worse: #ff9d6c; --better: #4fd1a5; --old: #56b4e9; --worseback: #5c2d13; --betterback: #124b3a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1rem; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, td, th, li { overflow-wrap: anywhere; } .quiet { color: var(--quiet); font-size: .88rem; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; } th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--old); }
th[aria-sort=ascending]::after { content: " ▲"; } th[aria-sort=descending]::after { content: " ▼"; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } td.regression { background: var(--worseback); } td.improvement { background: var(--betterback); }
td.varies { font-weight: 600; } details { border-bottom: 1px solid var(--rule); padding: .3rem 0; } summary { cursor: pointer; }
svg { display: block; max-width: 100%; } .band { fill: var(--band); } .level, .interval { stroke: var(--quiet); } .old { fill: var(--old); fill-opacity: .7; }
.new { fill: var(--quiet); } .regression .new, .state.regression { fill: var(--worse); color: var(--worse); }
.improvement .new, .state.improvement { fill: var(--better); color: var(--better); }
`;
