/** The look of a report; the same colours as the page. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #59636e; --back: #fff; --band: #eef1f4; --rule: #d5dae0;
  --worse: #a8330b; --better: #00684a; --a: #0b6fb3; --b: #b35c00; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e7eb; --quiet: #9aa5b1; --back: #14171a; --band: #22282d; --rule: #343b42;
  --worse: #ff9d6c; --better: #4fd1a5; --a: #56b4e9; --b: #e69f00; --link: #74b9f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--back); color: var(--text);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; } p { margin: .5rem 0; overflow-wrap: anywhere; }
.quiet, figcaption { color: var(--quiet); font-size: .87rem; } .note { border-left: 3px solid var(--rule); padding-left: .5rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } svg { display: block; max-width: 100%; height: auto; } .forest { min-width: 46rem; width: 100%; }
.chart { width: 100%; max-width: 40rem; } .timeline { width: 100%; min-width: 30rem; } figure { margin: .5rem 0; overflow-x: auto; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
details.group { border-bottom: 1px solid var(--rule); padding: .35rem 0; } details > :not(summary) { margin-left: 1rem; }
summary { cursor: pointer; overflow-wrap: anywhere; } :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .2rem 1rem .2rem 0; font-weight: 400; }
th { color: var(--quiet); } tr { border-bottom: 1px solid var(--rule); }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); } .name, .end { text-anchor: end; } .tick { text-anchor: middle; }
svg .tick, svg .axis { fill: var(--quiet); font-size: 11px; } .grid { stroke: var(--rule); } .one { stroke: var(--quiet); stroke-width: 1.3; }
.band { fill: var(--band); } .interval { stroke: var(--quiet); stroke-width: 2; fill: none; } .estimate { fill: var(--quiet); } .dot { fill: var(--a); fill-opacity: .75; }
.slower .interval { stroke: var(--worse); } .slower .estimate, .slower svg .value { fill: var(--worse); } .slower .verdict { color: var(--worse); font-weight: 600; }
.faster .interval { stroke: var(--better); } .faster .estimate { fill: var(--better); } .faster .verdict { color: var(--better); font-weight: 600; }
.undecided .interval { stroke-dasharray: 4 3; } rect.A { fill: var(--a); } rect.B { fill: var(--b); } .warmup { fill-opacity: .35; }
footer { margin-top: 2rem; }
@media print { details:not([open]) > :not(summary) { display: block; } }
`;
