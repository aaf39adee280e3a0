/**
 * What a page of one figure does: it reads out the nearest mark under the pointer, or the next one by arrow keys, and a
 * click on a name of the legend hides its series. Always the same text, so that the page allows it by its hash.
 */
export const PAGE_SCRIPT = `(() => {
const svg = document.querySelector('svg.nm-chart');
const tip = document.getElementById('nm-tip');
if (!svg) return;
const hits = JSON.parse(document.getElementById('nm-hits').textContent);
const off = new Set();
const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
dot.setAttribute('r', '6');
dot.setAttribute('class', 'nm-dot');
let current = -1;
function show(index) {
  current = index;
  const hit = hits[index];
  if (!hit) { dot.remove(); tip.hidden = true; return; }
  dot.setAttribute('cx', hit[0]);
  dot.setAttribute('cy', hit[1]);
  svg.append(dot);
  const box = svg.getBoundingClientRect();
  const scale = box.width / svg.viewBox.baseVal.width;
  tip.textContent = hit[3];
  tip.hidden = false;
  const left = box.left + scrollX + hit[0] * scale + 14;
  tip.style.left = Math.max(0, Math.min(left, scrollX + innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = box.top + scrollY + hit[1] * scale + 14 + 'px';
}
svg.addEventListener('pointermove', (event) => {
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  const x = (event.clientX - box.left) * scale;
  const y = (event.clientY - box.top) * scale;
  let best = -1;
  let least = 40 * 40;
  for (let index = 0; index < hits.length; index++) {
    const far = (hits[index][0] - x) ** 2 + (hits[index][1] - y) ** 2;
    if (far < least && !off.has(hits[index][2])) { least = far; best = index; }
  }
  if (best !== current) show(best);
});
svg.addEventListener('pointerleave', () => show(-1));
svg.setAttribute('tabindex', '0');
svg.addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || hits.length === 0) return;
  let next = current;
  for (let tries = 0; tries < hits.length; tries++) {
    next = (next + step + hits.length) % hits.length;
    if (!off.has(hits[next][2])) break;
  }
  show(next);
  event.preventDefault();
});
for (const name of svg.querySelectorAll('[data-toggle]')) {
  const panel = name.closest('[data-panel]');
  const key = (panel ? panel.dataset.panel : '0') + ':' + name.dataset.toggle;
  const series = (panel || svg).querySelectorAll('[data-series="' + name.dataset.toggle + '"]');
  name.setAttribute('tabindex', '0');
  name.setAttribute('role', 'button');
  name.setAttribute('aria-pressed', 'true');
  const toggle = () => {
    const hide = !off.has(key);
    if (hide) off.add(key); else off.delete(key);
    name.setAttribute('aria-pressed', String(!hide));
    name.classList.toggle('nm-faint', hide);
    for (const part of series) part.classList.toggle('nm-off', hide);
    show(-1);
  };
  name.addEventListener('click', toggle);
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    toggle();
    event.preventDefault();
  });
}
})();`;

/** For the Content-Security-Policy; a test keeps it true. */
export const PAGE_SCRIPT_HASH = 'sha256-ZKcQU4mEKvRbPKPERSLjOlAScNaEGoKSClu4Z4PM2PQ=';
