// The page in a real browser on a large home: 10,000 series, 100,000 jobs and 10 million points. First load and zoom of a
// chart of a million points against bare uPlot that gets the same points, alternating. Exit code 1 when an aim is missed.
// Usage: node dist/bench/page.js [--small]

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { homeLayout } from '../src/home/core/layout.ts';
import openSqliteQueue from '../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { serveHome, settled, startBrowser, stopServers } from '../test/support/chromium.ts';
import { jobOf } from './jobs-list/made-jobs.ts';
import { bodiesOf } from './metrics/points.ts';
import { makeHome } from './page/make-home.ts';
import { bareValues, POINTS, sendBig } from './page/million-points.ts';

const isSmall = process.argv.includes('--small');
const JOBS = isSmall ? 5_000 : 100_000;
const OTHER_POINTS = isSmall ? 500_000 : 9_000_000;
const EXPERIMENTS = isSmall ? 200 : 2_000;
const ROUNDS = 5;
const AIMS = { bytes: 100_000, chart: 1.5, apiMs: 200 };

/** Looks with every frame, as looking now and then would cost more than the zoom: nothing is awaited, and two more frames are drawn. */
const DRAWN = `new Promise((done) => {
  const frame = requestAnimationFrame;
  const look = () => frame(document.querySelector('[aria-busy=true]') ? look : () => frame(done));
  frame(look);
})`;

const home = mkdtempSync(join(tmpdir(), 'nightmark-bench-page-'));
let missed = 0;
try {
  await fill();
  const server = await serveHome(home, ['--port', '0']);
  const url = server.url.replace(/\/$/, '');
  await sendPoints(url);
  const bare = await serveBare();
  const browser = await startBrowser();
  try {
    await measureBytes(browser, url);
    await measureTables(browser, url);
    await measureCharts(browser, url, bare.url);
    await measureApi(url);
  } finally {
    await browser.close();
    bare.close();
  }
} finally {
  await stopServers();
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function fill(): Promise<void> {
  const start = performance.now();
  writeFileSync(join(home, 'nightmark.yml'), 'project: bench\nexperiments: {}\n');
  await makeHome(home, { experiments: EXPERIMENTS, series: 5, nights: 60 });
  const queue = await openSqliteQueue({ place: homeLayout(home).jobs });
  for (let first = 0; first < JOBS; first += 1_000) {
    await queue.submit(Array.from({ length: 1_000 }, (_, at) => jobOf(first + at, JOBS)));
  }
  await queue.close();
  console.log(`${EXPERIMENTS * 5} series, ${JOBS} jobs: made in ${seconds(start)} s`);
}

async function sendPoints(url: string): Promise<void> {
  const start = performance.now();
  await fetch(`${url}/query`, { method: 'POST', body: new URLSearchParams({ q: 'CREATE DATABASE bench' }) });
  const write = async (body: string | Buffer) => {
    const answer = await fetch(`${url}/write?db=bench`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
  };
  await sendBig(write);
  for (const bodies of bodiesOf({ points: OTHER_POINTS, series: 900 }))
    for (const body of bodies) await write(body);
  console.log(`${POINTS + OTHER_POINTS} points: sent in ${seconds(start)} s`);
}

/** What the first page costs on the way, as the browser counts it. */
async function measureBytes(browser: Browser, url: string): Promise<void> {
  const page = await open(browser, `${url}/`);
  const sizes = (await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
       .map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
  )) as [string, number][];
  const isData = ([name]: [string, number]) => name.includes('/api/');
  const sum = (some: readonly [string, number][]) => some.reduce((all, [, size]) => all + size, 0);
  const own = sum(sizes.filter((one) => !isData(one)));
  console.log(
    `first load of the page: ${own} bytes, its data ${sum(sizes.filter(isData))} bytes (aim: page below ${AIMS.bytes})`,
  );
  judge(own < AIMS.bytes);
  await page.context().close();
}

/** From the request until the rows are there; and from a jump in the table until the rows there are. */
async function measureTables(browser: Browser, url: string): Promise<void> {
  const found: Record<string, number[]> = { home: [], 'jump in home': [], jobs: [], 'search in jobs': [] };
  for (let round = 0; round < ROUNDS; round++) {
    const first = await open(browser, `${url}/`);
    found['home']?.push(await sinceNavigation(first));
    const begin = performance.now();
    await first.locator('.table-scroll').evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await first.waitForTimeout(20);
    await settled(first);
    found['jump in home']?.push(performance.now() - begin - 20);
    await first.context().close();
    const jobs = await open(browser, `${url}/jobs`, 'tr:has(input[type=checkbox])');
    found['jobs']?.push(await sinceNavigation(jobs));
    await jobs.context().close();
    const search = await open(browser, `${url}/jobs?search=needle`, 'tr:has(input[type=checkbox])');
    found['search in jobs']?.push(await sinceNavigation(search));
    await search.context().close();
  }
  for (const [what, times] of Object.entries(found)) {
    console.log(
      `${what}: median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
    );
  }
}

/** A million points: from the request until they are drawn, and from letting go of the mouse until the zoom is. */
async function measureCharts(browser: Browser, url: string, bareUrl: string): Promise<void> {
  const [ours, bare] = [
    { load: [] as number[], zoom: [] as number[] },
    { load: [] as number[], zoom: [] as number[] },
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [address, times] of [
      [`${url}/points?db=bench&m=big&f=value`, ours],
      [bareUrl, bare],
    ] as const) {
      const page = await open(browser, address, '.u-over');
      times.load.push(await sinceNavigation(page));
      times.zoom.push(await zoomed(page));
      await page.context().close();
    }
  }
  for (const what of ['load', 'zoom'] as const) {
    const ratio = median(ours[what]) / median(bare[what]);
    console.log(
      `chart of ${POINTS} points, ${what}: ${median(ours[what]).toFixed(0)} ms, bare uPlot ${median(bare[what]).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (aim: at most ${AIMS.chart})`,
    );
    judge(ratio <= AIMS.chart);
  }
}

/** Drags over the middle tenth; until everything is drawn. */
async function zoomed(page: Page): Promise<number> {
  const box = await page.locator('.u-over').first().boundingBox();
  if (!box) throw new Error('no chart');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.45, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.55, y, { steps: 4 });
  const begin = performance.now();
  await page.mouse.up();
  await page.evaluate(DRAWN);
  return performance.now() - begin;
}

/** Documents and columns of all pages, asked for one after the other. */
async function measureApi(url: string): Promise<void> {
  const [from, to] = [1_700_000_000_000, 1_700_000_000_000 + POINTS];
  const addresses = (n: number) => [
    'home',
    `home/values/${n % (EXPERIMENTS / 25)}`,
    `experiments/experiment-${String((n * 37) % EXPERIMENTS).padStart(4, '0')}`,
    `experiments/experiment-${String((n * 41) % EXPERIMENTS).padStart(4, '0')}/history`,
    'runs?limit=50',
    'changes/table',
    'jobs?limit=100',
    'jobs?search=needle&limit=100',
    'points/series?database=bench&limit=100',
    `points?database=bench&measurement=big&field=value&from=${from}&to=${to}&buckets=1000`,
    `points?database=bench&measurement=cpu&field=usage&tag.host=h${n % 900}&from=${from}&to=${from + 10_000_000}&buckets=1000`,
    `points/latest?database=bench&measurement=cpu&field=usage&tag.host=h${n % 900}`,
  ];
  const times = new Map<string, number[]>();
  for (let n = 0; n < 40; n++) {
    for (const [place, address] of addresses(n).entries()) {
      const begin = performance.now();
      const answer = await fetch(`${url}/api/${address}`);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
      const name = addresses(0)[place] ?? '';
      times.set(name, [...(times.get(name) ?? []), performance.now() - begin]);
    }
  }
  for (const [name, some] of times)
    console.log(`  ${name}: median ${median(some).toFixed(0)} ms, p95 ${p95(some).toFixed(0)} ms`);
  const all = p95([...times.values()].flat());
  console.log(
    `API, ${[...times.values()].flat().length} requests: p95 ${all.toFixed(0)} ms (aim: below ${AIMS.apiMs})`,
  );
  judge(all < AIMS.apiMs);
}

async function open(browser: Browser, address: string, until = 'tbody tr'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(until).first().waitFor();
  await settled(page);
  return page;
}

function sinceNavigation(page: Page): Promise<number> {
  return page.evaluate('performance.now()') as Promise<number>;
}

/** uPlot alone, with the points as two columns of numbers. */
async function serveBare(): Promise<{ readonly url: string; close(): void }> {
  const files: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    '/': ['text/html', readFileSync('bench/page/bare.html', 'utf8')],
    '/uplot.js': ['text/javascript', readFileSync('node_modules/uplot/dist/uPlot.iife.min.js', 'utf8')],
    '/uplot.css': ['text/css', readFileSync('node_modules/uplot/dist/uPlot.min.css', 'utf8')],
    '/points': ['application/octet-stream', Buffer.from(bareValues().buffer)],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

function judge(isMet: boolean): void {
  if (isMet) return;
  missed++;
  console.log('  MISSED');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
