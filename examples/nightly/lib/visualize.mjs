// visualize.mjs CONFIG DATA GRAPH: one SVG per metric with every case over the nights.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeXml, format } from './format.mjs';
import { readHistory } from './history.mjs';

const WIDTH = 720;
const HEIGHT = 320;
const PLOT = { left: 76, right: 560, top: 44, bottom: 284 };
const COLOURS = ['#1f6f8b', '#c8553d', '#4f772d', '#7b4b94', '#b8860b', '#3d405b'];

const [configDir, dataDir, graphDir] = process.argv.slice(2);
const { title } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
const nights = readHistory(dataDir);
if (nights.length === 0) throw new Error(`There is no data in ${dataDir}.`);
const metrics = Object.keys(nights.at(-1).metrics);

mkdirSync(graphDir, { recursive: true });
for (const metric of metrics) writeFileSync(join(graphDir, `${metric}.svg`), chart(metric));
console.log(`${metrics.length} graphs over ${nights.length} nights`);

function chart(metric) {
  const cases = Object.keys(nights.at(-1).metrics[metric]);
  const values = cases.flatMap((name) => points(metric, name).map(({ value }) => value)).filter((v) => v > 0);
  // Cases may lie decades apart: a logarithmic scale shows a change of 10 % alike for all of them.
  const low = Math.log(Math.min(...values)) - 0.1;
  const high = Math.log(Math.max(...values)) + 0.1;
  const x = (index) => PLOT.left + (index / Math.max(1, nights.length - 1)) * (PLOT.right - PLOT.left);
  const y = (value) => PLOT.bottom - ((Math.log(value) - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  const lines = cases.map((name, index) => line(points(metric, name), { name, metric, x, y, index }));
  const ticks = [0, 1, 2, 3].map((step) =>
    tick(Math.exp(low + ((high - low) * (step + 0.5)) / 4), { metric, y }),
  );
  const text = (left, top, content) => `<text x="${left}" y="${top}">${escapeXml(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15">${escapeXml(`${title}: ${metric}`)}</text>`,
    ...ticks,
    ...lines,
    text(PLOT.left, HEIGHT - 14, nights[0].label),
    nights.length > 1 ? text(PLOT.right - 104, HEIGHT - 14, nights.at(-1).label) : '',
    '</svg>\n',
  ].join('\n');
}

function points(metric, name) {
  return nights.flatMap((night, index) => {
    const value = night.metrics[metric]?.[name];
    return value > 0 ? [{ index, value }] : [];
  });
}

function line(series, { name, metric, x, y, index }) {
  const colour = COLOURS[index % COLOURS.length];
  const path = series.map((point) => `${x(point.index).toFixed(1)},${y(point.value).toFixed(1)}`);
  const last = series.at(-1);
  const top = PLOT.top + 12 + index * 18;
  const label = escapeXml(`${name} ${format(last.value, metric)}`);
  return [
    `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path.join(' ')}"/>`,
    `<circle cx="${x(last.index).toFixed(1)}" cy="${y(last.value).toFixed(1)}" r="3" fill="${colour}"/>`,
    `<text x="${PLOT.right + 14}" y="${top}" fill="${colour}">${label}</text>`,
  ].join('\n');
}

function tick(value, { metric, y }) {
  const top = y(value).toFixed(1);
  return `<path d="M${PLOT.left} ${top}H${PLOT.right}" stroke="#ddd"/><text x="12" y="${top}" fill="#666">${format(value, metric)}</text>`;
}
