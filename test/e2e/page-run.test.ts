import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout, runFiles } from '../../src/home/core/home-layout.ts';
import type { Run, Trial } from '../../src/home/core/run.ts';
import { fileLocks as sqliteLocks } from '../../src/platform/adapters/file-locks.ts';
import type { LockOutcome } from '../../src/platform/core/lock.ts';
import { makeSampleHome, nightId } from '../sample-home.ts';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  LOOKS,
  noBrowser,
  PageTest,
} from '../support/browser.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-run-'));
const home = join(folder, 'home');
const pages = new PageTest();
const LIVE = '20260201-020000-live';
const log = runFiles(home, LIVE).log('experiment', 'talks', 'run');
let address = '';
let lock: LockOutcome | undefined;

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 150);
  await saveRun('running');
  writeFile(log, 'line 1\n\u001b[32mgreen\u001b[0m\n10 %\r20 %\r');
  writeFile(runFiles(home, LIVE).journal, '');
  // Without a holder of the lock the night would count as interrupted.
  lock = await sqliteLocks.acquire(homeLayout(home).lock, {});
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  if (lock?.state === 'acquired') lock.release();
  rmSync(folder, { recursive: true });
});

/** A night whose one experiment is at work, or has ended. */
async function saveRun(state: Run['state']): Promise<void> {
  const startedAt = Date.now() - 60_000;
  const isOver = state !== 'running';
  const store = await openSqliteStore(homeLayout(home).index);
  const trial = (task: string, now: Trial['state']): Trial => ({
    ...{ runId: LIVE, task, kind: 'experiment', state: now, message: '', commits: {} },
  });
  await store.saveRun({
    ...{ id: LIVE, kind: 'night', project: 'sample', label: 'live', state, startedAt, seed: 7 },
    ...{ order: ['talks', 'sort'], origin: 'measured', warnings: [] },
    ...(isOver && { endedAt: startedAt + 60_000 }),
  });
  await store.saveTrials([
    trial('talks', isOver ? 'succeeded' : 'running'),
    trial('sort', isOver ? 'succeeded' : 'waiting'),
  ]);
  if (isOver)
    await store.saveStages(LIVE, [
      {
        ...{ task: 'talks', kind: 'experiment', stage: 'run', success: true, message: '', extra: {} },
        ...{ startedAt, durationMs: 59_000, attempts: 1, log: log.slice(home.length + 1) },
      },
    ]);
  store.close();
}

test('older runs come as one scrolls, and a filter is in the address', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/runs`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), '151 runs');
  assert.match((await page.textContent('.lead')) ?? '', /^1 running now\. Of the 60 runs since/);
  for (const count of [120, 151]) {
    await page.locator('.table-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByText(`${count} runs shown`).waitFor();
  }
  await page.getByLabel('state').selectOption('failed');
  await page.getByText('5 runs shown').waitFor();
  assert.match(page.url(), /\/runs\?state=failed$/);
  await page.getByLabel('search').fill('broken bench-1');
  await page.waitForURL('**/runs?state=failed&text=broken+bench-1');
  await page.reload();
  await page.getByText('5 runs shown').waitFor();
  assert.equal(await page.getByLabel('search').inputValue(), 'broken bench-1');
  await page.locator('table.data tbody a').first().click();
  await page.waitForURL(`**/runs/${nightId(0)}`);
  await page.goBack();
  await page.getByText('5 runs shown').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a night: the answer, the timeline, what failed, its files and the command', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/runs/${nightId(0)}`);
  await drawn(page);
  const heading = (await page.textContent('h1')) ?? '';
  assert.match(
    heading,
    /^Night 01-31-2026-0200: 4 of 5 experiments succeeded, 1 failed, 1 inactive, 1.h 12.min$/,
  );
  assert.equal(await page.locator('.gantt li').count(), 6);
  const failed = page.locator('.gantt-bar.failed[role=img]');
  assert.match(
    (await failed.getAttribute('aria-label')) ?? '',
    /^broken, run: failed 30\.5.s from 2026-01-31/,
  );
  const open = page.locator('details[open]');
  assert.match((await open.textContent()) ?? '', /failed broken\s+in stage run.*2 attempts.*Traceback/s);
  assert.deepEqual(await page.locator('.commands code').allTextContents(), [
    `nightmark run ${home} --seed 42`,
    `nightmark run ${home} --seed 42 --only broken`,
  ]);
  assert.match(
    (await page.locator('section[aria-labelledby=files]').textContent()) ?? '',
    /3 files, 1\.14.MiB/,
  );
  // A row of the timeline opens its task; the choice survives a reload.
  await page.getByRole('button', { name: 'sort, succeeded' }).press('Enter');
  await page.waitForURL('**?task=experiment%2Fsort');
  await page.reload();
  await drawn(page);
  assert.match((await page.locator('details.chosen').textContent()) ?? '', /analyze.*succeeded/s);
  await page.getByText('All 10 stages as a table').click();
  await page.waitForURL('**&table=stages');
  assert.equal(await page.locator('section[aria-label="Stages of all tasks"] tbody tr').count(), 10);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a large log is read on from its ends, searched, and a line is linked', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/runs/${nightId(0)}/logs/experiment/sort/run`);
  await drawn(page);
  const gap = page.locator('.log-gap');
  assert.match((await gap.textContent()) ?? '', /^916.KiB are not shown here/);
  await gap.getByRole('button').click();
  await gap.getByText('660').waitFor();
  await page.getByLabel('search').fill('LAST');
  await page.getByText('in 1 line').waitFor();
  await page.getByLabel('search').press('Enter');
  const named = page.locator('.log-line.named');
  await named.waitFor();
  assert.equal(((await named.textContent()) ?? '').trim(), 'last line');
  assert.match(page.url(), /line=b1200011$/);
  await page.goto(`${address}/runs/${nightId(0)}/logs/experiment/sort/run?line=b600005`);
  await named.waitFor();
  assert.equal(((await named.textContent()) ?? '').trim(), 'noise');
  await page.goto(`${address}/runs/${nightId(0)}/logs/experiment/broken/run?line=2`);
  await named.waitFor();
  assert.equal(((await named.textContent()) ?? '').trim(), 'red <b>boom</b>');
  assert.equal(await named.locator('.red').textContent(), 'red');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  const logs = `/runs/${nightId(0)}/logs/experiment/broken/run`;
  for (const look of LOOKS) {
    const { page, complaints } = await pages.open(look);
    for (const path of ['/runs', `/runs/${nightId(0)}?table=stages`, `/runs/${LIVE}`, logs]) {
      await page.goto(`${address}${path}`);
      await drawn(page);
      await assertFits(page);
      await assertAccessible(page);
    }
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('a home of more nights than it shows leads to the others', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  await assertAccessible(page);
  await page.getByRole('link', { name: '91 older or other runs' }).click();
  await page.getByText('60 runs shown').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a run and its log follow what happens, until it has ended', { skip }, async () => {
  const [run, text] = [await pages.open(DESKTOP), await pages.open(DESKTOP)];
  await run.page.goto(`${address}/runs/${LIVE}`);
  await drawn(run.page);
  assert.equal(await run.page.textContent('h1'), 'Night live is running: 0 of 2 tasks done');
  assert.match((await run.page.textContent('.lead')) ?? '', /Running: talks, run stage, started/);
  assert.equal(await run.page.locator('.gantt-now').count(), 1);
  assert.equal(await run.page.locator('.gantt-bar.expected[role=img]').count(), 1);
  await text.page.goto(`${address}/runs/${LIVE}/logs/experiment/talks/run`);
  const lines = text.page.locator('.log-line');
  await lines.nth(2).waitFor();
  assert.deepEqual(
    (await lines.allTextContents()).map((line) => line.trim()),
    ['line 1', 'green', '20 %'],
  );
  appendFileSync(log, `100 %\nmore\n${'x\n'.repeat(500)}end`);
  await text.page.getByText('end', { exact: true }).waitFor();
  const isAtEnd = () =>
    text.page
      .locator('.log-text')
      .evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 8);
  assert.equal(await isAtEnd(), true);
  // Whoever reads further up stays there.
  await text.page.locator('.log-text').evaluate((element) => element.scrollTo(0, 0));
  const third = text.page.locator('[data-place="3"]');
  assert.equal(((await third.textContent()) ?? '').trim(), '100 %');
  appendFileSync(log, ' of it\nlast\n');
  await text.page.getByText('end of it').waitFor({ state: 'attached' });
  assert.equal(await isAtEnd(), false);
  await saveRun('finished');
  await run.page.locator('h1', { hasText: 'Night live: 2 of 2 experiments succeeded' }).waitFor();
  await text.page.locator('.lead', { hasText: 'succeeded, took 59' }).waitFor();
  assert.deepEqual([run.complaints, text.complaints], [[], []]);
  for (const { page } of [run, text]) await page.close();
});

test('what is not there is said, with what to do', { skip }, async () => {
  const { page } = await pages.open(DESKTOP);
  for (const [path, words] of [
    ['/runs/nothing', /No run "nothing"/],
    [`/runs/${nightId(2)}/logs/experiment/json/run`, /There is no log: the stage printed nothing/],
    ['/runs?text=nowhere', /No run matches/],
  ] as const) {
    await page.goto(`${address}${path}`);
    await page.getByText(words).waitFor();
  }
  await page.close();
});

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
