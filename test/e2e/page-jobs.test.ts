import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { JobQueue } from '../../src/jobs/core/job-queue.ts';
import { assertAccessible, assertFits, drawn, noBrowser, PageTest, PHONE } from '../support/browser.ts';
import { runInProcess } from '../support/in-process.ts';
import { makeJobHistory, WORKER } from '../support/job-history.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';
import { makeJobSweep, SWEEP, sweepLines } from '../support/job-sweep.ts';
import { killServers, servePoints } from '../support/serve-points.ts';

const skip = noBrowser;
const home = mkdtempSync(join(tmpdir(), 'nightmark-page-jobs-'));
const layout = homeLayout(home);
const sweep = [...SWEEP].reverse().map(jobId).join(',');
const pages = new PageTest();
let queue: JobQueue;
let address: string;

before(async () => {
  if (skip) return;
  mkdirSync(layout.own, { recursive: true });
  queue = await openSqliteQueue({ place: layout.jobs, now: Date.now });
  await makeJobHistory(queue, layout.jobResults);
  await makeJobSweep(queue, layout.jobResults);
  ({ address } = await servePoints(home, { options: ['--udp-port', '0'] }));
  await fetch(`${address}query?q=${encodeURIComponent('CREATE DATABASE jobs')}`, { method: 'POST' });
  const written = await fetch(`${address}write?db=jobs`, { method: 'POST', body: sweepLines().join('\n') });
  assert.equal(written.status, 204);
});
after(async () => {
  await pages.close();
  await queue?.close();
  killServers();
  rmSync(home, { recursive: true });
});

test('the list reports how jobs are, groups them, and finds them', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs`);
  await page.locator('tr.group').first().waitFor();
  assert.match((await page.textContent('h1')) ?? '', /^11 jobs: 1 failed, .*8 finished/);
  const groups = await page.locator('tr.group').allInnerTexts();
  assert.deepEqual(
    groups.map((text) => text.trim().replace(/^▾ /, '')),
    ['sweep <b>of</b> rates 8 jobs', 'baseline 3 jobs'],
  );
  assert.match(await rowOf(page, 'job-1').innerText(), /failed\s+ValueError\('x'\)/);
  await page.getByRole('button', { name: /^sweep/ }).click();
  assert.equal(await rowOf(page, 'rate-101').count(), 0);
  await page.getByLabel('Search').fill('where:lr > 0.05 and seed == 0');
  await page.locator('h1', { hasText: /^1 job$/ }).waitFor();
  assert.ok(page.url().includes('search=where'));
  await page.getByLabel('Search').fill('where:lr >');
  assert.match(await page.locator('#search-problem').innerText(), /lr >|end|expected/i);
  assert.equal(complaints.filter((one) => !one.includes('400')).length, 0, complaints.join('\n'));
  await page.close();
});

test('jobs are selected by click, range and key, and a reload shows the same', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs`);
  await page.getByLabel('Select rate-108').click();
  await page.getByLabel('Select rate-106').click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  assert.ok(page.url().includes(`jobs=${[108, 107, 106].map(jobId).join('%2C')}`), page.url());
  await page.reload();
  await page.getByText('3 selected').waitFor();
  assert.equal(await page.getByLabel('Select rate-107').isChecked(), true);
  await page.keyboard.press('Control+a');
  await page.getByText('All 11 selected').waitFor();
  await page.keyboard.press('Control+Shift+A');
  await page.locator('.jobs-view').waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the configuration fades what is equal, colours what differs, and leaves empty what is missing', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs?jobs=${sweep}`);
  const row = (key: string) =>
    page.locator('.compared tbody tr', { has: page.getByRole('rowheader', { name: key, exact: true }) });
  await row('lr').waitFor();
  assert.equal(await row('model.depth').getAttribute('class'), 'equal');
  assert.equal(await row('lr').getAttribute('class'), 'differs');
  const colours = await row('lr').locator('td').evaluateAll(backgrounds);
  assert.deepEqual(
    [new Set(colours.slice(0, 4)).size, new Set(colours.slice(4)).size, new Set(colours).size],
    [1, 1, 2],
  );
  assert.deepEqual(await row('nesterov').locator('td').allInnerTexts(), [
    '✕',
    '✕',
    '✕',
    '✕',
    '✓',
    '✓',
    '✓',
    '✓',
  ]);
  assert.equal(await row('nesterov').getByRole('img', { name: 'true' }).count(), 4);
  assert.equal(await row('warmup').getAttribute('class'), 'differs');
  assert.deepEqual(await row('warmup').locator('td').allInnerTexts(), ['', '', '', '', '', '', '', '5']);
  await page.getByRole('button', { name: 'hide the equal ones' }).click();
  assert.equal(await row('model.depth').count(), 0);
  await page.goto(`${address}jobs?jobs=${jobId(101)}`);
  await row('lr').waitFor();
  assert.equal(await row('lr').getAttribute('class'), '');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('series are small multiples, averaged over seeds, with what is no number marked; the state goes through JSON', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs?jobs=${sweep}&tab=series`);
  await page.getByText('16 curves of 8 jobs; 2 triangles').waitFor();
  const offered = await page.getByLabel('Columns').locator('option').allInnerTexts();
  assert.deepEqual(offered, ['none', 'job', 'lr', 'seed', 'nesterov', 'split', 'warmup']);
  await page.getByLabel('Columns').selectOption('config.lr');
  await page.getByLabel('Rows').selectOption('tag.split');
  await page.locator('.series-cell').nth(3).waitFor();
  assert.deepEqual(await page.locator('.series-cell figcaption').allInnerTexts(), [
    'lr 0.01, split test',
    'lr 0.1, split test',
    'lr 0.01, split train',
    'lr 0.1, split train',
  ]);
  await page.locator('.pick-many', { hasText: 'mean over' }).locator('summary').click();
  for (const name of ['seed', 'warmup'])
    await page.locator('.pick-many[open], .choices').getByLabel(name, { exact: true }).last().check();
  await page
    .getByText(/^4 curves of 8 jobs, each the mean over seed, warmup with one standard deviation/)
    .waitFor();
  await page.keyboard.press('Escape');
  const chart = page.locator('.series-cell .u-over').first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(await page.locator('.hover').innerText(), /mean of 4\nepoch 2[01]/);
  await page.getByText('State of the charts as JSON').click();
  const json = await page.getByRole('textbox', { name: 'State of the charts' }).inputValue();
  assert.deepEqual(JSON.parse(json), {
    columns: 'config.lr',
    rows: 'tag.split',
    over: ['config.seed', 'config.warmup'],
  });
  const shown = page.url();
  await page.goto(`${address}jobs?jobs=${sweep}&tab=series`);
  await page.getByText('16 curves').waitFor();
  await page.evaluate(paste, json);
  await page.getByText(/^4 curves/).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('rows'), new URL(shown).searchParams.get('rows'));
  await page.mouse.move(box.x + 20, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/xrange=/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('logs of several jobs stand side by side and are searched; pictures and files are there', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs?jobs=${jobId(102)},${jobId(101)}&tab=logs`);
  const panes = page.locator('.log-pane');
  await panes.nth(1).locator('pre').waitFor();
  assert.equal(
    await panes.first().locator('pre').innerText(),
    '0: rate 102 begins\n! 1: <img src=x onerror=alert(1)>\n',
  );
  await page.getByLabel('Find in the logs').fill('BEGINS');
  await panes.first().getByText('1 line with “BEGINS”').waitFor();
  await page.getByRole('link', { name: 'Images' }).click();
  await page.locator('.pictures img').nth(1).waitFor();
  const width = await page
    .locator('.pictures img')
    .first()
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
  assert.equal(width, 120);
  await page.goBack();
  await panes.first().getByText('1 line with “BEGINS”').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a log follows the newest line only while that is in sight', { skip }, async () => {
  await queue.submit([jobSpec(90, { name: 'talker', experiment: 'talk' })]);
  const claim = await queue.claim({ worker: WORKER, executors: ['process'], ids: [jobId(90)] });
  assert.ok(claim);
  await queue.begin(claim, { host: 'n', outputDir: 'vision/talk' });
  const say = (from: number, count: number) =>
    queue.appendLogs(
      claim,
      Array.from({ length: count }, (_, at) => ({
        worker: 0,
        type: 'info' as const,
        message: `line ${from + at}`,
        time: Date.now(),
      })),
    );
  await say(0, 300);
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs/${jobId(90)}`);
  const log = page.locator('.log-pane pre');
  await log.getByText('line 299').waitFor();
  const fromEnd = () =>
    log.evaluate((element) => {
      const { scrollHeight, scrollTop, clientHeight } = element as unknown as Record<string, number>;
      return (scrollHeight ?? 0) - (scrollTop ?? 0) - (clientHeight ?? 0);
    });
  assert.ok((await fromEnd()) < 8);
  await say(300, 5);
  await log.getByText('line 304').waitFor();
  assert.ok((await fromEnd()) < 8);
  await log.evaluate((element) => {
    (element as unknown as { scrollTop: number }).scrollTop = 0;
  });
  await say(305, 1);
  await log.getByText('line 305').waitFor();
  assert.ok((await fromEnd()) > 1000);
  await queue.end(claim, { status: 'FINISHED' });
  await page.locator('.lead', { hasText: 'finished' }).waitFor();
  await queue.delete([jobId(90)]);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the code of two jobs is compared file by file', { skip }, async () => {
  const folder = join(home, 'code');
  mkdirSync(folder);
  const submitted: string[] = [];
  for (const text of ['a\nsame\n', 'b <script>\nsame\n']) {
    writeFileSync(join(folder, 'train.py'), text);
    const { stdout, stderr } = await runInProcess([
      'job',
      'submit',
      '--home',
      home,
      '--code',
      folder,
      '--',
      'true',
    ]);
    assert.match(stdout, /^[0-9a-f]{24}\n$/, stderr);
    submitted.unshift(stdout.trim());
  }
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs?jobs=${submitted.join(',')}&tab=code`);
  await page.getByText('1 file changed, 0 added, 0 removed, 0 equal').waitFor();
  assert.equal(await page.locator('pre.log').innerText(), '@@ -1,2 +1,2 @@\n-a\n+b <script>\n same\n');
  await queue.delete(submitted);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a job shows everything it left, and is starred, noted, repeated and deleted after a question', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}jobs/000001`);
  await page.getByRole('heading', { name: 'job-1 000001' }).waitFor();
  await page.getByText('warning: slow').waitFor();
  await page.getByRole('link', { name: 'plots/loss.png' }).waitFor();
  const text = await page.locator('main').innerText();
  for (const words of [
    "ValueError('x')",
    'Traceback: <b>here</b>',
    'warning: slow',
    'plots/loss.png',
    'nightmark job rerun 000001',
    'forward',
  ])
    assert.ok(text.includes(words), words);
  await page.getByRole('button', { name: '☆ star' }).click();
  await page.getByRole('button', { name: '★ starred' }).waitFor();
  await page.getByRole('button', { name: 'note …' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('look <i>again</i>');
  await page.getByRole('dialog').getByRole('button', { name: 'Note' }).click();
  await page.locator('p.calm', { hasText: 'look <i>again</i>' }).waitFor();
  await page.getByRole('button', { name: 'rerun …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rerun' }).click();
  await page.getByRole('dialog').getByText('In the queue:').waitFor();
  await page.getByRole('dialog').getByRole('link').click();
  await page.getByText('waiting', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'delete …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click();
  assert.equal(await queue.count({}), 12);
  await page.getByRole('button', { name: 'delete …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`${address}jobs`);
  assert.equal(await queue.count({}), 11);
  assert.deepEqual((await queue.job(jobId(1)))?.annotations, { star: true, note: 'look <i>again</i>' });
  assert.deepEqual(
    complaints.filter((one) => !/loss\.png|404/.test(one)),
    [],
  );
  await page.close();
});

test('an open list shows what is submitted, and many jobs page by page', { skip }, async () => {
  const { page } = await pages.open();
  await page.goto(`${address}jobs?list=flat`);
  await rowOf(page, 'rate-101').waitFor();
  await queue.submit([jobSpec(5000, { name: 'newcomer', createdAt: Date.now() })]);
  await rowOf(page, 'newcomer').waitFor();
  await queue.submit(
    Array.from({ length: 300 }, (_, at) => jobSpec(6000 + at, { name: `mass-${at}`, experiment: 'mass' })),
  );
  await page.locator('h1', { hasText: /^312 jobs/ }).waitFor();
  assert.ok((await page.locator('.job-list tbody tr').count()) < 80);
  await page.locator('.job-list').focus();
  for (const _ of Array(3)) {
    await page.locator('.job-list').evaluate((element) => {
      const list = element as unknown as { scrollTop: number; scrollHeight: number };
      list.scrollTop = list.scrollHeight;
    });
    await page.waitForTimeout(150);
  }
  assert.ok((await page.locator('.job-list tbody tr').count()) < 80);
  await queue.delete(Array.from({ length: 300 }, (_, at) => jobId(6000 + at)));
  await page.close();
});

test('the pages are fine for those who hear them, and on a phone', { skip }, async () => {
  const { page, complaints } = await pages.open(PHONE);
  for (const path of [
    `jobs?jobs=${sweep}`,
    `jobs?jobs=${sweep}&tab=series&columns=config.lr`,
    `jobs?jobs=${sweep}&tab=logs`,
    'jobs/000065',
  ]) {
    await page.goto(address + path);
    await page.locator('main h2, main h3, .compared, .series-cell').first().waitFor();
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('without the token nothing can be changed, and it is said', { skip }, async () => {
  const other = mkdtempSync(join(tmpdir(), 'nightmark-page-jobs-read-'));
  mkdirSync(homeLayout(other).own, { recursive: true });
  const jobs = await openSqliteQueue({ place: homeLayout(other).jobs, now: Date.now });
  await jobs.submit([jobSpec(1)]);
  const served = await servePoints(other, {
    options: ['--udp-port', '0', '--public'],
    env: { NIGHTMARK_TOKEN: 'a token of the test' },
  });
  const { page } = await pages.open();
  await page.goto(`${served.address}jobs/000001`);
  await page.getByText('Nothing can be changed from here: writing needs a token').waitFor();
  assert.equal(await page.getByRole('button', { name: 'delete …' }).count(), 0);
  await page.goto(`${served.address}jobs/ffffff`);
  await page.getByText('There is no job "ffffff"').waitFor();
  await page.close();
  await served.stop();
  await jobs.close();
  rmSync(other, { recursive: true });
});

function rowOf(page: Page, name: string) {
  return page.locator('.job-list tr', { has: page.getByRole('link', { name, exact: true }) });
}

function backgrounds(cells: unknown[]): string[] {
  return cells.map((cell) => (cell as { style: { background: string } }).style.background);
}

/** As Ctrl-V would. */
function paste(text: string): void {
  const window = globalThis as unknown as {
    ClipboardEvent: new (type: string, init: object) => object;
    DataTransfer: new () => { setData(type: string, text: string): void };
    document: { body: { dispatchEvent(event: object): void } };
  };
  const clipboardData = new window.DataTransfer();
  clipboardData.setData('text/plain', text);
  window.document.body.dispatchEvent(new window.ClipboardEvent('paste', { clipboardData, bubbles: true }));
}
