/** Counts down on the page. A file of its own: the page allows no script inside it. */
export const COUNTDOWN_SCRIPT = `'use strict';
const spans = document.querySelectorAll('[data-deadline]');
function left(ms) {
  if (ms < 0) return 'passed';
  const seconds = Math.floor(ms / 1000);
  const days = Math.floor(seconds / 86400);
  if (days > 0) return days + (days === 1 ? ' day' : ' days');
  return Math.floor(seconds / 3600) + ' h ' + (Math.floor(seconds / 60) % 60) + ' min ' + (seconds % 60) + ' s';
}
function show() {
  for (const span of spans) span.textContent = left(Number(span.dataset.deadline) - Date.now());
}
show();
setInterval(show, 1000);
`;

export const WEBSITE_STYLE = `:root{color-scheme:light dark}
body{margin:1.5rem auto;max-width:75rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
.deadline{color:#c00000}
table{border-collapse:collapse;margin:.5rem 0 1rem}
th,td{padding:.2rem .8rem;border-bottom:1px solid #8888;text-align:left;vertical-align:top}
td.number{text-align:right;font-variant-numeric:tabular-nums}
td.time{white-space:nowrap}
td.message{white-space:pre-wrap;overflow-wrap:anywhere;max-width:45rem}
.failed{color:#c00000;font-weight:600}
img{height:400px;max-width:100%;object-fit:contain;background:#fff;margin:.25rem}
nav ul{columns:16rem;padding-left:1.2rem}nav li{break-inside:avoid}
@media (prefers-color-scheme:dark){.deadline,.failed{color:#ff8080}}
`;
