import { significant } from '../../../charts/core/chart-numbers.ts';
import type { Deadline } from '../../../home/core/subsystem-config.ts';
import { type ExactJson, JsonNumber, writeExactJson } from '../../../platform/core/text/exact-json.ts';
import { type Html, html, segments } from '../../../platform/core/text/html.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';

/** What the page of a home shows. */
export interface Website {
  readonly title: string;
  /** When it was made, in local time. */
  readonly madeAt: string;
  readonly deadlines: readonly Deadline[];
  readonly sections: readonly WebsiteSection[];
}

/** An experiment, a score, or a folder of graphs of neither. */
export interface WebsiteSection {
  readonly name: string;
  readonly title?: string;
  /** Absent for what is not an experiment. */
  readonly night?: WebsiteNight;
  /** Whether data/<name>.json is there. */
  readonly hasData: boolean;
  readonly numbers: readonly WebsiteNumber[];
  readonly folders: readonly WebsiteFolder[];
}

export interface WebsiteNight {
  readonly state: 'succeeded' | 'failed' | 'inactive' | 'skipped';
  /** What failed and why, or why it did not run. */
  readonly message: string;
  readonly duration: string;
  /** Of the newest data. */
  readonly timestamp: string;
}

export interface WebsiteNumber {
  readonly path: readonly string[];
  readonly value: number;
  /** Of the night before, where it has one. */
  readonly before?: number;
}

export interface WebsiteFolder {
  /** Below graph/. */
  readonly path: string;
  readonly images: readonly string[];
}

/** A page that is opened from disk: nothing of it comes from elsewhere, and no text of an experiment is markup. */
export function websitePage({ title, madeAt, deadlines, sections }: Website): string {
  const isShown = (section: WebsiteSection) =>
    section.hasData || section.folders.length > 0 || section.numbers.length > 0;
  const shown = sections.filter(isShown);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'self' file:; script-src 'self' file:">
<title>${title}</title>
<link rel="stylesheet" href="./style.css">
</head>
<body>
<h1>${title}</h1>
<p>Made ${madeAt}</p>
${deadlines.map(deadlineHtml)}${statusHtml(sections)}<nav aria-label="Contents"><ul>
${shown.map((section) => html`<li><a href="#${anchorOf(section)}">${titleOf(section)}</a></li>\n`)}</ul></nav>
${shown.map(sectionHtml)}${deadlines.length > 0 && html`<script src="./countdown.js"></script>\n`}</body>
</html>
`;
  return page.toString();
}

/** Names of experiments may hold anything; a character that is not of a word becomes its code. */
function anchorOf({ name }: WebsiteSection): string {
  return `of-${name.replace(/[^\w-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`)}`;
}

function titleOf({ name, title = name }: WebsiteSection): string {
  return title;
}

/** Without the script, the date stands where the time that is left would. */
function deadlineHtml({ name, date, at }: Deadline): Html {
  const id = name.replace(/\s/gu, '-');
  return html`<h2 class="deadline">${name}: <span id="${id}" data-deadline="${at}">${date}</span></h2>\n`;
}

/** "01-31-2026-0200" in an order that everybody reads alike. */
function dateOf(timestamp = ''): string {
  return timestamp.replace(/^(\d+)-(\d+)-(\d{4})-(\d\d)(\d\d)$/, '$3-$1-$2 $4:$5');
}

const STATE_TEXT = {
  succeeded: 'succeeded',
  failed: 'FAILED',
  inactive: 'inactive',
  skipped: 'skipped',
} as const;

function statusHtml(sections: readonly WebsiteSection[]): Html {
  const rows = sections.flatMap((section) => {
    const { night } = section;
    if (!night) return [];
    const { state, message, duration, timestamp } = night;
    const cells = html`<td>${titleOf(section)}</td><td${state === 'failed' && html` class="failed"`}>${STATE_TEXT[state]}</td>`;
    return [
      html`<tr>${cells}<td class="time">${dateOf(timestamp)}</td><td class="time">${duration}</td><td class="message">${message}</td></tr>\n`,
    ];
  });
  if (rows.length === 0) return html``;
  const names = ['Experiment', 'Last night', 'Newest data', 'Duration', 'Message'];
  return html`<table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table>
`;
}

function sectionHtml(section: WebsiteSection): Html {
  const { name, title, hasData, folders } = section;
  const data = `./data/${segments(name)}.json`;
  const heading = title !== undefined && hasData ? html`<a href="${data}">${title}</a>` : titleOf(section);
  const rest = folders.filter(({ path }) => path !== name);
  const own = folders.find(({ path }) => path === name)?.images ?? [];
  return html`<section id="${anchorOf(section)}">
<h2>${heading}</h2>
${hasData && html`<p>${dateOf(section.night?.timestamp)} <a href="${data}">all data (JSON)</a></p>\n`}${numbersHtml(section)}${imagesHtml(
  name,
  own,
)}${rest.map(folderHtml)}</section>
`;
}

/** The levels of the old page: folders of an experiment as high as itself, those inside them one lower each. */
function folderHtml({ path, images }: WebsiteFolder): Html {
  const level = Math.max(2, Math.min(path.split('/').length, 6));
  const heading = HEADINGS[level - 2] ?? HEADINGS[0];
  return html`${heading(path)}\n${imagesHtml(path, images)}`;
}

const HEADINGS = [
  (text: string) => html`<h2>${text}</h2>`,
  (text: string) => html`<h3>${text}</h3>`,
  (text: string) => html`<h4>${text}</h4>`,
  (text: string) => html`<h5>${text}</h5>`,
  (text: string) => html`<h6>${text}</h6>`,
] as const;

function imagesHtml(folder: string, images: readonly string[]): Html {
  return html`${images.map(
    (image) =>
      html`<img src="./graph/${segments(folder)}/${segments(image)}" alt="${folder}/${image}" loading="lazy">\n`,
  )}`;
}

const MOST_NUMBERS = 200;

function numbersHtml({ numbers }: WebsiteSection): Html {
  if (numbers.length === 0) return html``;
  const left = numbers.length - MOST_NUMBERS;
  return html`<table>
<thead><tr><th scope="col">Value</th><th scope="col">Newest</th><th scope="col">Before</th><th scope="col">Change</th></tr></thead>
<tbody>
${numbers.slice(0, MOST_NUMBERS).map(numberRow)}</tbody></table>
${left > 0 && html`<p>and ${left} more in the data</p>\n`}`;
}

function numberRow({ path, value, before }: WebsiteNumber): Html {
  const cells = [
    significant(value, 6),
    before === undefined ? '' : significant(before, 6),
    changeOf(value, before),
  ];
  return html`<tr><td>${path.join(', ')}</td>${cells.map((text) => html`<td class="number">${text}</td>`)}</tr>\n`;
}

function changeOf(value: number, before = 0): string {
  const percent = (value / before - 1) * 100;
  return Number.isFinite(percent) ? `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %` : '';
}

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

/** JSON as Python writes it with indent=1, numbers as they were read. */
export function indentedJson(value: ExactJson, depth = 0): string {
  if (value instanceof JsonNumber || typeof value !== 'object' || value === null)
    return writeExactJson(value);
  const isMap = value instanceof Map;
  const items = isMap
    ? [...value].map(([key, field]) => `${pythonJson(key)}: ${indentedJson(field, depth + 1)}`)
    : (value as readonly ExactJson[]).map((item) => indentedJson(item, depth + 1));
  const [open, close] = isMap ? '{}' : '[]';
  if (items.length === 0) return `${open}${close}`;
  const blanks = `\n${' '.repeat(depth + 1)}`;
  return `${open}${blanks}${items.join(`,${blanks}`)}\n${' '.repeat(depth)}${close}`;
}
