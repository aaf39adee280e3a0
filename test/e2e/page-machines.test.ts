import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout, runFiles } from '../../src/home/core/home-layout.ts';
import { makeSampleHome, nightId } from '../sample-home.ts';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  noBrowser,
  PageTest,
  PHONE,
} from '../support/browser.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-machines-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

const OLD = { id: 'beef', name: 'bench-1', facts: { cpu: 'Test CPU <b>', cores: 8, kernel: '6.1' } };
const NEW = { id: 'f00d', name: 'bench-1', facts: { cpu: 'Test CPU <b>', cores: 8, kernel: '6.2' } };

/** The first half of the nights had another kernel; the last one had another governor, as only its journal knows. */
async function addMachines(): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  await store.saveMachine(OLD);
  await store.saveMachine(NEW);
  const runs = await store.latestRuns({ limit: 100 });
  for (const run of runs.slice(15)) await store.saveRun({ ...run, machineId: 'beef' });
  for (const [ago, governor] of ['powersave', 'performance'].entries()) {
    const run = runs.find(({ id }) => id === nightId(ago));
    const { journal } = runFiles(home, nightId(ago));
    mkdirSync(dirname(journal), { recursive: true });
    const machine = { ...NEW, facts: { ...NEW.facts, governor } };
    writeFileSync(journal, `${JSON.stringify({ type: 'begin', run, machine, options: {} })}\n`);
  }
  const times = Float64Array.from({ length: 500 }, (_, i) => (runs[0]?.startedAt ?? 0) + i * 1000);
  const values = times.map((_, i) => 60 + (i % 7));
  await store.appendPoints(nightId(0), [
    { name: 'temperature', tags: { sensor: '<i>core</i>' }, unit: '°C', times, values },
  ]);
  store.close();
}

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  await addMachines();
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

test('the list shows the machines of runs and their noise', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/machines`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'All runs were measured on bench-1');
  assert.match(
    (await page.textContent('.lead')) ?? '',
    /^40 runs evaluated\. Values vary by 0\.\d\d.%, by \d+ series\.$/,
  );
  const cells = await page.locator('table.data tbody td').allTextContents();
  assert.equal(cells[0], 'bench-1 f00d');
  assert.match(cells[1] ?? '', /^0\.\d\d.% \[0\.\d\d.%, \d\.\d\d.%\]$/);
  assert.deepEqual(cells.slice(2, 4), ['40', '40']);
  assert.match(cells[5] ?? '', /^2026-01-1\d 2 fingerprints$/);
  assert.equal(cells[6], 'Test CPU <b>, 8 cores, kernel 6.2');
  await assertAccessible(page);
  await page.getByRole('link', { name: 'bench-1' }).click();
  await page.waitForURL('**/machines/bench-1');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a machine shows its noise, its changes, its telemetry and its facts', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/machines/bench-1`);
  await drawn(page);
  assert.match((await page.textContent('h1')) ?? '', /^bench-1: values vary by 0\.\d\d.%$/);
  const plots = await page
    .locator('.plot')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.deepEqual(plots, ['1 line, 40 points: distance from the level', '1 line, 500 points']);
  const table = page.locator('table', { hasText: 'before' });
  const rows = await table.locator('tbody tr').allTextContents();
  assert.deepEqual(
    rows.map((row) => row.replace(/^[\d-]+ [\d-]+/, '')),
    ['governorperformancepowersave', 'fingerprintbeeff00d', 'kernel6.16.2'],
  );
  assert.equal(
    (await page.locator('figcaption').textContent())?.replaceAll('\u202f', ' '),
    'temperature <i>core</i>: 500 readings, median 63 °C, from 60 °C to 66 °C',
  );
  await page.goto(`${address}/machines/beef`);
  await drawn(page);
  assert.match(
    (await page.textContent('h1')) ?? '',
    /^bench-1: /,
    'an old fingerprint leads to the same machine',
  );
  assert.deepEqual(complaints, []);
  await page.goto(`${address}/machines/nowhere`);
  await page.getByText('There is nothing here.').waitFor();
  await page.close();
});

test('dark, on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  const { page, complaints } = await pages.open({ ...PHONE, colorScheme: 'dark' });
  for (const place of ['/machines', '/machines/bench-1', '/server']) {
    await page.goto(`${address}${place}`);
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the page of the server says that it is well, and what it holds', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/server`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'The server is healthy');
  assert.match(
    (await page.textContent('.lead')) ?? '',
    /^Up for .*, 40 runs, 0 points taken, 0 lines refused, 0 jobs running, 0 waiting\.$/,
  );
  const fact = (name: string) =>
    page.locator('table.facts tr', { hasText: name }).first().locator('td').textContent();
  assert.equal(await fact('runs'), '40');
  assert.match((await fact('newest')) ?? '', /^01-31-2026-0200 \(night, finished\)/);
  assert.match((await fact('memory')) ?? '', /MiB$/);
  await assertAccessible(page);
  await page.reload();
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'The server is healthy');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('an empty home says what would be here', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${await pages.serve(empty)}/machines`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No machine is recorded yet');
  assert.equal(await page.textContent('.command'), 'nightmark run');
  assert.deepEqual(complaints, []);
  await page.close();
});
