import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { HOSTILE, LAST_NIGHT, makeSampleHome, nightId } from '../sample-home.ts';
import { runBinary } from '../support/binary.ts';
import { drawn, noBrowser, PageTest } from '../support/browser.ts';
import { makeCurveHome } from '../support/curve-home.ts';
import { makeJobHistory } from '../support/job-history.ts';
import { jobId } from '../support/job-specs.ts';
import { makeJobSweep, SWEEP, sweepLines } from '../support/job-sweep.ts';
import { serveFolder } from '../support/nginx.ts';
import { type RealServer, skipWithout } from '../support/real-server.ts';

const skip = noBrowser;
const noNginx = skip || skipWithout('nginx', 'apt-get install nginx-light');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-site-'));
const [home, site] = [join(folder, 'home'), join(folder, 'site')];
const pages = new PageTest();
let live = '';
let nginx: RealServer | undefined;

/** Every kind of page that needs no live server. */
const PLACES = [
  '/',
  '/experiments/sort',
  `/experiments/${encodeURIComponent(HOSTILE)}`,
  '/runs',
  `/runs/${nightId(0)}`,
  `/runs/${nightId(0)}/logs/experiment/broken/run`,
  '/changes',
  '/compare',
  `/compare/${nightId(1)}..${nightId(0)}`,
  '/experiments/steady',
  '/machines',
  '/machines/bench-1',
  '/duets',
  '/matrix',
  '/curves',
];

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 14);
  await addOldNights();
  await addJobs();
  makeCurveHome(home);
  live = await pages.serve(home);
  await fetch(`${live}/query?q=${encodeURIComponent('CREATE DATABASE jobs')}`, { method: 'POST' });
  const written = await fetch(`${live}/write?db=jobs`, { method: 'POST', body: sweepLines().join('\n') });
  assert.equal(written.status, 204);
  const { code, stderr } = await runBinary(['publish', home, '--to', `dir:${site}`]);
  assert.equal(code, 0, stderr);
  if (!noNginx) nginx = await serveFolder(site, join(folder, 'nginx'));
});
after(async () => {
  await pages.close();
  await nginx?.stop();
  rmSync(folder, { recursive: true });
});

const OLD_NIGHTS = 300;

/** Enough for a history that is published in blocks. */
async function addOldNights(): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  await store.together(async () => {
    for (let ago = OLD_NIGHTS + 13; ago > 13; ago--) {
      const [id, at] = [nightId(ago), LAST_NIGHT - ago * 86_400_000];
      const state = ago % 50 === 0 ? 'failed' : 'succeeded';
      const commits = { repo: `c${Math.floor(ago / 60)}` };
      await store.saveRun({
        ...{ id, kind: 'night', project: 'sample', label: `old-${ago}`, state: 'finished', startedAt: at },
        ...{ endedAt: at + 60_000, machineId: 'f00d', order: ['steady'], origin: 'measured', warnings: [] },
      });
      await store.saveTrials([
        { runId: id, task: 'steady', kind: 'experiment', state, message: '', startedAt: at, commits },
      ]);
      if (state === 'failed') continue;
      const value = (ago > 100 ? 2 : 2.5) + (ago % 7) / 100;
      const values = [{ experiment: 'steady', path: ['time'], unit: 's', better: 'lower' as const, value }];
      await store.saveValues({ runId: id, task: 'steady', at, values });
    }
  });
  store.close();
}

async function addJobs(): Promise<void> {
  const { jobs, jobResults } = homeLayout(home);
  const queue = await openSqliteQueue({ place: jobs, now: Date.now });
  await makeJobHistory(queue, jobResults);
  await makeJobSweep(queue, jobResults);
  await queue.close();
}

/** What a reader sees of a page: its words and numbers, without what is said of the time that passes. */
async function wordsOf(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await drawn(page);
  await page.evaluate(SHOW_UNDRAWN);
  // Some values come after the rest: until nothing changes any more.
  let words = '';
  for (let now = await readMain(page); now !== words; now = await readMain(page)) {
    words = now;
    await page.waitForTimeout(250);
    await drawn(page);
  }
  return (
    words
      .replace(/\b(?:JSON|CSV|Markdown)\b ?/g, '')
      .replace(/[\d.,]+.(?:s|min|h|d)(?: [\d.]+.(?:s|min|h|d))? ago/g, 'AGO')
      // To choose others one needs a server.
      .replace(/ As a comment for a pull request.*/, '')
      .replaceAll(home, 'home')
  );
}

/** Blocks of a log have their words as soon as they are there, not when a frame was drawn. */
const SHOW_UNDRAWN = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.log-block { content-visibility: visible !important }');
  document.adoptedStyleSheets = [sheet];
}`;

async function readMain(page: Page): Promise<string> {
  return (await page.locator('main').innerText()).replace(/\s+/g, ' ');
}

test('from disk and through nginx the site shows what the dashboard shows', { skip }, async () => {
  // A page for each: a browser starts a process wherever one leads from one site to another.
  const [served, disk, web] = [await pages.open(), await pages.open(), await pages.open()];
  for (const [visit, place] of PLACES.entries()) {
    // Without another query nothing would be loaded anew.
    const index = `index.html?${visit}#${place}`;
    const expected = await wordsOf(served.page, `${live}${place}`);
    const found = await wordsOf(disk.page, `file://${site}/${index}`);
    // Buttons that change something, and what only a server has, are not in a copy: all numbers are.
    assert.deepEqual(numbersIn(found), numbersIn(expected), `${place}\n${found}\n---\n${expected}`);
    assert.doesNotMatch(found, /was not published/, place);
    if (nginx) assert.equal(await wordsOf(web.page, `${nginx.url}/${index}`), found, place);
  }
  for (const { page, complaints } of [served, disk, web]) {
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

function numbersIn(words: string): readonly string[] {
  return words.match(/\d[\d\u202f.,]*/g) ?? [];
}

test('a published job has its log, its files and its curve', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`file://${site}/index.html#/jobs`);
  await page.getByRole('heading', { name: /^11 jobs/ }).waitFor();
  await page.goto(`file://${site}/index.html#/jobs?jobs=${jobId(1)}&tab=logs`);
  await page.getByText('epoch 1').first().waitFor();
  await page.goto(`file://${site}/index.html#/jobs?jobs=${jobId(1)}&tab=images`);
  // What is published with it is three bytes that are no picture.
  await page.getByText('This cannot be shown as a picture').waitFor();
  await page.goto(`file://${site}/index.html#/jobs?jobs=${jobId(SWEEP[0] ?? 0)}&tab=images`);
  const picture = page.locator('.pictures img');
  await picture.waitFor();
  assert.match((await picture.getAttribute('src')) ?? '', /^data\/jobs\/.*curve.*\.svg$/);
  await page.waitForFunction('document.querySelector(".pictures img")?.naturalWidth === 120');
  await page.goto(`file://${site}/index.html#/jobs?jobs=${jobId(1)}&tab=files`);
  await page.getByText('output.txt').waitFor();
  assert.deepEqual(await page.locator('table.files a').allInnerTexts(), ['plots/loss.png']);
  await page.goto(`file://${site}/index.html#/jobs?jobs=${jobId(SWEEP[0] ?? 0)}&tab=series`);
  await page.getByText(/^2 curves of 1 job/).waitFor();
  await page.locator('.series-cell .u-over').first().waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a row of a published comparison reports what its verdict rests on', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`file://${site}/index.html#/compare/${nightId(1)}..${nightId(0)}`);
  await drawn(page);
  await page.locator('tbody button').first().click();
  await page.locator('.row-more figure').first().waitFor();
  assert.match(await page.locator('.row-more').innerText(), new RegExp(`base: ${nightId(1)}`));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a hostile home executes nothing there, and its names are text', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`file://${site}/index.html`);
  await drawn(page);
  assert.match(await page.locator('main').innerText(), /<script>alert\("1"\)<b>/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('links go on working after the next publication, and a broken night is reported', { skip }, async () => {
  const { page } = await pages.open();
  const address = `file://${site}/index.html#/experiments/sort`;
  await page.goto(address);
  await drawn(page);
  const store = await openSqliteStore(homeLayout(home).index);
  const run = { kind: 'night', project: 'sample', order: [], origin: 'measured', warnings: [] } as const;
  await store.saveRun({
    ...run,
    id: '20260201-020000-next',
    label: '02-01-2026-0200',
    state: 'finished',
    startedAt: LAST_NIGHT + 86_400_000,
    endedAt: LAST_NIGHT + 90_000_000,
  });
  await store.saveTrials([
    {
      ...{ runId: '20260201-020000-next', task: 'sort', kind: 'experiment', state: 'succeeded', message: '' },
      commits: {},
    },
  ]);
  store.close();
  assert.equal((await runBinary(['publish', home, '--to', `dir:${site}`])).code, 0);
  // A page that was open since before goes on with the site that it knows; who comes now has the new one.
  await page.evaluate('location.hash = "#/runs"');
  await page.getByRole('heading', { name: '314 runs' }).waitFor();
  assert.equal(await page.locator('.problem').count(), 0);
  await page.reload();
  await page.getByRole('heading', { name: '315 runs' }).waitFor();
  await page.getByText('02-01-2026-0200').first().waitFor();

  const again = await openSqliteStore(homeLayout(home).index);
  await again.saveRun({
    ...{ ...run, id: '20260202-020000-cut', label: '02-02-2026-0200', state: 'interrupted' },
    startedAt: LAST_NIGHT + 2 * 86_400_000,
  });
  again.close();
  assert.equal((await runBinary(['publish', home, '--to', `dir:${site}`])).code, 4);
  await page.goto('about:blank');
  await page.goto(address);
  await drawn(page);
  const note = page.locator('.site-note');
  await note.waitFor();
  assert.match(await note.innerText(), /Nothing newer is shown: The night 02-02-2026-0200 was interrupted/);
  await page.close();
});
