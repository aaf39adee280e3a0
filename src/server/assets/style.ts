/** The one style sheet. A module, so that the compiled package needs no copying of files. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --quiet: #59636e; --back: #ffffff; --band: #f3f5f7; --rule: #d5dae0;
  --link: #0b57a4; --worse: #a8330b; --better: #00684a; --line: #0b6fb3; --good-bar: #8fa0b0;
  --s1: .25rem; --s2: .5rem; --s3: 1rem; --s4: 2rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e7eb; --quiet: #9aa5b1; --back: #14171a; --band: #1d2226; --rule: #343b42;
    --link: #74b9f2; --worse: #ff9d6c; --better: #4fd1a5; --line: #56b4e9; --good-bar: #5d6b78;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 var(--s3); }
header { padding-top: var(--s2); padding-bottom: var(--s2); color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: 0 var(--s1); overflow-wrap: anywhere; }
nav .mark { font-weight: 600; color: inherit; white-space: nowrap; }
nav .right { margin-left: auto; white-space: nowrap; }
footer { margin-top: var(--s4); padding-bottom: var(--s4); color: var(--quiet); font-size: .87rem; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: var(--s2) 0 var(--s1); font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: var(--s4) 0 var(--s2); font-weight: 600; overflow-wrap: anywhere; }
p { margin: var(--s2) 0; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
code, pre, .path { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; }
.path { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.message, .summary { white-space: pre-wrap; overflow-wrap: anywhere; }
.calm, .running { border-left: 3px solid var(--rule); padding-left: var(--s2); }
.running { border-color: var(--line); }
.command, .log { background: var(--band); padding: var(--s2) var(--s3); overflow: auto; }
.command { display: inline-block; max-width: 100%; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.log { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; line-height: 1.35; }
.cut { margin: 0; padding: var(--s1) var(--s3); border: 1px dashed var(--rule); color: var(--quiet); text-align: center; }
.state, .change, .interval { white-space: nowrap; }
.state.failed, .state.interrupted, .change.worse { color: var(--worse); font-weight: 600; }
.state.succeeded, .state.finished, .change.better { color: var(--better); }
.state.missing { color: var(--worse); }
.state.inactive, .state.skipped, .state.waiting { color: var(--quiet); }
.attention { list-style: none; margin: 0; padding: 0; }
.attention li { padding: var(--s1) 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
.strip { display: flex; flex-wrap: wrap; align-items: end; gap: var(--s2); margin: var(--s3) 0; font-size: .87rem; }
.strip svg { max-width: 100%; }
.area { fill: transparent; } .nights a:hover .area, .nights a:focus .area { fill: var(--band); }
.night.fine { fill: var(--good-bar); } .night.failed { fill: var(--worse); }
.night.unfinished { fill: none; stroke: var(--quiet); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: var(--s1) var(--s3) var(--s1) 0; font-weight: 400; }
thead th { color: var(--quiet); font-size: .87rem; border-bottom: 1px solid var(--rule); white-space: nowrap;
  position: sticky; top: 0; background: var(--back); }
tbody tr { border-bottom: 1px solid var(--rule); }
table.experiments tbody tr { border-bottom: 0; }
table.experiments tbody { border-bottom: 1px solid var(--rule); }
tbody th { overflow-wrap: anywhere; min-width: 9rem; max-width: 22rem; }
td { max-width: 32rem; } td.message { min-width: 12rem; } time { white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.title { font-size: .87rem; font-weight: 400; }
tbody th a { text-wrap: pretty; }
table.experiments .path { min-width: 8rem; }
table.facts th { width: 10rem; color: var(--quiet); } table.facts td { max-width: none; overflow-wrap: anywhere; }
.spark { display: block; } .spark, .chart { overflow: visible; }
.line { fill: none; stroke: var(--line); stroke-width: 1.3; stroke-linejoin: round; }
.dot, .newest { fill: var(--line); } .cross { stroke: var(--worse); stroke-width: 1.4; fill: none; }
.chart { display: block; width: 100%; height: auto; max-width: 40rem; }
.grid { stroke: var(--rule); stroke-width: 1; } .tick { fill: var(--quiet); font-size: 11px; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: var(--s3) var(--s4); }
figure { margin: 0; min-width: 0; } figcaption { margin-bottom: var(--s1); overflow-wrap: anywhere; }
details.task { border-bottom: 1px solid var(--rule); padding: var(--s1) 0; }
details.task > :not(summary) { margin-left: var(--s3); }
summary { cursor: pointer; overflow-wrap: anywhere; }
.pictures { display: flex; flex-wrap: wrap; gap: var(--s3); }
.pictures img { max-width: 100%; max-height: 20rem; background: #fff; }
input, button, select { font: inherit; padding: var(--s1) var(--s2); }
@media (max-width: 40rem) {
  h1 { font-size: 1.2rem; }
  th, td { padding-right: var(--s2); }
  tbody th { min-width: 6rem; }
  table.experiments, table.experiments tbody, table.experiments tr { display: block; }
  table.experiments thead { display: none; }
  table.experiments tbody { padding: var(--s2) 0; }
  table.experiments th, table.experiments td { display: inline-block; padding: 0 var(--s2) 0 0; max-width: 100%; min-width: 0; text-align: left; }
  table.experiments th { font-weight: 600; }
  table.experiments td.path { display: block; margin-top: var(--s1); color: var(--quiet); }
}
@media print { nav .right, footer a, .nights { display: none; } .scroll { overflow: visible; } }
`;

/** A crescent, drawn here. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b6fb3" d="M10.5 1.5a6.8 6.8 0 1 0 4 9.6 5.6 5.6 0 0 1-4-9.6z"/></svg>`;
