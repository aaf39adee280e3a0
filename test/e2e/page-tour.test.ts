import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { PAGE_ROUTES, type PageRoute } from '../../src/platform/core/site/page-routes.ts';
import { nightId } from '../sample-home.ts';
import { DESKTOP, drawn, hurdles, noBrowser, PageTest, PHONE } from '../support/browser.ts';
import { makeFullHome, sendPoints } from '../support/full-home.ts';
import { jobId } from '../support/job-specs.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-tour-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';
let change = '';
let endJob = async () => {};

before(async () => {
  if (skip) return;
  endJob = await makeFullHome(home, 30);
  address = await pages.serve(home);
  await sendPoints(address);
  const listed = (await (await fetch(`${address}/api/changes`)).json()) as { changes: { id: string }[] };
  change = listed.changes[0]?.id ?? '';
});
after(async () => {
  await pages.close();
  await endJob();
  rmSync(folder, { recursive: true });
});

const control = (page: Page, label: string) =>
  page
    .locator('select, input')
    .and(page.getByLabel(new RegExp(`^\\s*${label}`, 'i')))
    .first();
const choose = (label: string, option: string) => (page: Page) => control(page, label).selectOption(option);
const write = (label: string, text: string) => (page: Page) => control(page, label).fill(text);
const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const follow = (selector: string) => (page: Page) => page.locator(selector).first().click();
const open = (words: string | RegExp) => (page: Page) =>
  page.locator('summary', { hasText: words }).first().click();
const check = (name: string | RegExp) => (page: Page) => page.getByRole('checkbox', { name }).first().click();

/** Drags over the middle of the first chart. */
async function zoom(page: Page): Promise<void> {
  await drawn(page);
  const chart = page.locator('.u-over').first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  assert.ok(box, 'there is no chart to zoom');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 3 });
  await page.mouse.up();
  // What is said about the point below the pointer is not of the page.
  await page.mouse.move(0, 0);
}

interface Stop {
  readonly place: string;
  /** What a reader does there. Each changes the address. */
  readonly acts: readonly ((page: Page) => Promise<unknown>)[];
}

const JOB = jobId(101);
const STOPS: Readonly<Record<PageRoute, () => Stop>> = {
  '/': () => ({ place: '', acts: [write('filter', 'sort'), press('change')] }),
  '/experiments/:name': () => ({
    place: 'experiments/sort',
    acts: [
      ...[write('values whose name has', 'cpu'), choose('axis', 'commit'), choose('axis', 'time')],
      ...[choose('scale', 'log'), choose('order', 'name'), zoom, open('earlier run')],
    ],
  }),
  '/runs': () => ({
    place: 'runs',
    acts: [write('search', 'sort'), choose('kind', 'night'), press('took'), press(/^compare/)],
  }),
  '/runs/:id': () => ({ place: `runs/${nightId(0)}`, acts: [open('json'), open('broken')] }),
  '/runs/:id/logs/:kind/:task/:stage': () => ({
    place: `runs/${nightId(0)}/logs/experiment/broken/run`,
    acts: [write('search', 'exit')],
  }),
  '/compare': () => ({ place: 'compare', acts: [write('filter', 'sort'), press(/^all/)] }),
  '/compare/:pair*': () => ({
    place: `compare/${nightId(1)}..${nightId(0)}`,
    acts: [write('filter', 'cpu'), press(/^all/), follow('table.data tbody tr button'), press(/^change/)],
  }),
  '/changes': () => ({ place: 'changes', acts: [press(/^all/), write('filter', 'cpu'), check(/sort/)] }),
  '/changes/:id': () => ({ place: `changes/${change}`, acts: [zoom] }),
  '/duets': () => ({ place: 'duets', acts: [write('filter', 'sim')] }),
  '/duets/:id': () => ({
    place: 'duets/simulated.csv',
    acts: [press('renaissance/als (syncduet)'), open('Other estimators'), press('Show run 3')],
  }),
  '/matrix': () => ({
    place: 'matrix',
    acts: [press('bars'), press(/model=m1/), open('Values of the chart'), press('heat map'), press('lines')],
  }),
  '/curves': () => ({
    place: 'curves',
    acts: [choose('task', 'Hopper-v2'), check('single seeds'), open('without a curve')],
  }),
  '/jobs': () => ({
    place: `jobs?jobs=${jobId(102)},${JOB}&tab=series`,
    acts: [
      ...[press(/^sweep/), choose('Columns', 'config.seed'), press('log y'), zoom],
      ...[write('Search', 'rate'), choose('Status', 'FINISHED')],
    ],
  }),
  '/jobs/:id': () => ({
    place: `jobs/${JOB}`,
    acts: [write('find in the log', 'rate'), choose('Worker', '0'), open('State of the charts'), zoom],
  }),
  '/points': () => ({
    place: 'points',
    acts: [choose('database', 'lab'), choose('field', 'idle'), choose('host', 'h2'), zoom],
  }),
  '/machines': () => ({ place: 'machines', acts: [press('nights')] }),
  '/machines/:id': () => ({ place: 'machines/f00d', acts: [] }),
  '/server': () => ({ place: 'server', acts: [] }),
  '/api/docs': () => ({ place: 'api/docs', acts: [write('Find', 'one run'), open('/api/runs/{id}')] }),
};

test('every page has one heading and fits on a phone, and its choices are there again after a reload and on the way back', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  const lost: string[] = [];
  for (const route of PAGE_ROUTES) {
    lost.push(...(await visit(page, route)));
    lost.push(...complaints.splice(0).map((one) => `${route}: ${one}`));
  }
  assert.deepEqual(lost, []);
  await page.close();
});

/** What is lost of what a reader chose on a page. */
async function visit(page: Page, route: PageRoute): Promise<readonly string[]> {
  const { place, acts } = STOPS[route]();
  const response = await page.goto(`${address}/${place}`);
  await drawn(page);
  const headings = await page.locator('h1').count();
  if (response?.status() !== 200 || headings !== 1)
    return [`${route}: answered with ${response?.status()}, has ${headings} headings`];
  for (const [at, act] of acts.entries()) {
    const before = page.url();
    try {
      // A page that draws itself anew takes away what was just found.
      await act(page).catch((error) =>
        /not attached/.test(String(error)) ? act(page) : Promise.reject(error),
      );
      await page.waitForURL((url) => String(url) !== before);
    } catch (error) {
      return [`${route}: act ${at} leaves no trace in the address: ${error}`];
    }
  }
  const [shown, there] = [await textOf(page), page.url()];
  await page.reload();
  const lost: string[] = [...differences(await textOf(page), shown)].map(
    (one) => `${there} reloaded: ${one}`,
  );
  lost.push(...(await byKeys(page)).map((one) => `${there} by keys: ${one}`));
  await page
    .locator('nav')
    .getByRole('link', { name: route === '/server' ? 'Home' : 'Server' })
    .click();
  await page.waitForURL((url) => String(url) !== there);
  await drawn(page);
  await page.goBack();
  await page.waitForURL(there);
  lost.push(...differences(await textOf(page), shown).map((one) => `${there} on the way back: ${one}`));
  // In the light, and on a phone, the tests of each page look closer.
  await page.emulateMedia({ colorScheme: 'dark' });
  lost.push(...(await hurdles(page)).map((one) => `${there} in the dark: ${one}`));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE.viewport);
  await drawn(page);
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  if (wide !== 0) lost.push(`${there} is ${wide} wider than a phone`);
  await page.setViewportSize(DESKTOP.viewport);
  return lost;
}

function differences(now: readonly string[], before: readonly string[]): readonly string[] {
  return before.flatMap((text, at) => (text === now[at] ? [] : [`"${text}" is "${now[at]}"`])).slice(0, 3);
}

/** What can be read and what is chosen, without what the clock and the memory of the server change. */
async function textOf(page: Page): Promise<readonly string[]> {
  // Parts come one after the other: what stays the same for a moment is all of it.
  let words: string[] = [];
  for (let look = 0; look < 100; look++) {
    await drawn(page);
    const next = (await page.evaluate(WORDS)) as string[];
    if (JSON.stringify(next) === JSON.stringify(words)) break;
    words = next;
    await page.waitForTimeout(80);
  }
  return words.map((one) =>
    one
      .replace(/[\d.]+[\u202f ]?(?:ms|s|min|h|d|KiB|MiB|B)\b|connected pages\t\d+/g, '#')
      .replace(/#(?:\s#)+/g, '#'),
  );
}

const WORDS = `(() => {
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  return [
    ...document.querySelector('main').innerText.split('\\n'),
    ...all('main input, main select', (one) =>
      (one.ariaLabel ?? '') + ' ' + (one.type === 'checkbox' ? one.checked : one.value)),
    ...all('main details', (one) => one.querySelector('summary').innerText + ' is open: ' + one.open),
    ...all('main [aria-pressed], main [aria-sort], main [aria-expanded]', (one) =>
      [one.innerText, one.ariaPressed, one.ariaSort, one.ariaExpanded].join(' ')),
  ];
})()`;

/** What keeps those away who have no mouse, on a page just loaded: the way past the menu, and a mark on whatever has the focus. */
async function byKeys(page: Page): Promise<readonly string[]> {
  await page.keyboard.press('Tab');
  const first = await page.evaluate('document.activeElement.className');
  await page.keyboard.press('Enter');
  const inside = await page.evaluate('document.activeElement.tagName');
  const problems =
    first === 'skip' && inside === 'MAIN' ? [] : [`the first key leads to ${first}, ${inside}`];
  for (let stop = 0; stop < 10; stop++) {
    await page.keyboard.press('Tab');
    const seen = (await page.evaluate(FOCUS)) as string;
    if (seen !== '') problems.push(seen);
  }
  return problems;
}

const FOCUS = `(() => {
  const one = document.activeElement;
  if (one === document.body) return '';
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  return outlineStyle === 'none' || outlineWidth === '0px' ? 'nothing marks ' + one.outerHTML.slice(0, 120)
    : isInSight ? '' : 'out of sight: ' + one.outerHTML.slice(0, 120);
})()`;
