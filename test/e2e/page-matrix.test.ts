import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Payload } from '../../src/formats/core/kpi/kpi.ts';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  LOOKS,
  noBrowser,
  PageTest,
} from '../support/browser.ts';
import { smallMatrix, storedTest } from '../support/stored-tests.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-matrix-'));
const pages = new PageTest();
let address = '';

async function makeHome(name: string, payloads: readonly Payload[]): Promise<string> {
  const home = join(folder, name);
  const file = homeLayout(home).index;
  mkdirSync(dirname(file), { recursive: true });
  const store = await openSqliteStore(file);
  await store.savePayloads(payloads);
  store.close();
  return home;
}

before(async () => {
  if (skip) return;
  address = `${await pages.serve(await makeHome('small', smallMatrix()))}/matrix`;
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

const textOf = async (page: Page, selector: string) =>
  ((await page.textContent(selector)) ?? '').replaceAll('\u202f', ' ');
const cellsOf = async (page: Page, row: number) =>
  (
    await page
      .locator('section[aria-label="Means by setting"] tbody tr')
      .nth(row)
      .locator('td')
      .allTextContents()
  ).map((text) => text.replaceAll('\u202f', ' '));

test('the answer comes first, then a chart, then means and every test', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  assert.equal(await textOf(page, 'h1'), 'Best Requests served per second: 802 req/s with users=8, model=m1');
  assert.match(await textOf(page, '.lead'), /^27 tests, 1 failed; what varies is users, model, @seed\./);
  assert.equal(await page.locator('.figure canvas').count(), 1);
  assert.deepEqual(await page.locator('.legend button').allTextContents(), ['model=m1', 'model=m2']);
  assert.deepEqual(await cellsOf(page, 0), ['1', '102 req/s ±2.48 req/s 1 failed', '202 req/s ±2.48 req/s']);
  assert.deepEqual(await cellsOf(page, 3), ['8', 'best 802 req/s ±2.05 req/s', 'not run']);
  const tests = page.locator('section[aria-label="Every test"]');
  assert.equal(await tests.locator('table').getAttribute('aria-rowcount'), '29');
  assert.match(await textOf(page, '.hidden-tests'), /1 failed test left out/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('values, order, chart, KPI and scale are in the address, and a copied link shows the same', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  const users = page.getByRole('group', { name: 'Values of users' });
  for (const name of ['2', '4']) await users.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Move model up' }).click();
  await page.getByRole('button', { name: 'bars', exact: true }).click();
  await page.getByLabel('scale of values').selectOption('log');
  await page.locator('label', { hasText: /^KPI/ }).locator('select').selectOption('latency');
  const link = page.url();
  assert.match(link, /is\.users=2&is\.users=4&axis=model&axis=users&chart=bars&y-scale=log&kpi=latency$/);
  const seen = async (view: Page) => [
    await textOf(view, 'h1'),
    await textOf(view, '.setting-list'),
    await cellsOf(view, 0),
  ];
  const before = await seen(page);
  assert.equal(before[0], 'Best latency: 5.00 ms with model=m1, users=2');
  await page.reload();
  await drawn(page);
  assert.deepEqual(await seen(page), before);
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.waitForURL('**/runs');
  await page.goBack();
  await page.waitForURL(link);
  await drawn(page);
  assert.deepEqual(await seen(page), before);
  assert.match(await textOf(page, '.hidden-tests'), /12 tests hidden by the selected values/);
  await page.getByRole('button', { name: 'Show all values' }).click();
  assert.doesNotMatch(page.url(), /is\.users/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('every chart is drawn, with its values as a table and in words below the pointer', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}?axis=users&axis=model&axis=@seed`);
  await drawn(page);
  // A scatter needs no setting for its x axis: one more makes panels.
  const kinds = [
    ['boxes', 'box', 4],
    ['scatter', 'scatter', 8],
    ['heat map', 'heatmap', 4],
    ['lines', 'lines', 4],
  ] as const;
  for (const [name, type, panels] of kinds) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.locator(`.plot[aria-label*=": ${type} of"]`).first().waitFor();
    await drawn(page);
    assert.equal(await page.locator('.figure .plot:has(canvas)').count(), panels, name);
  }
  await page.goto(`${address}?chart=bars&axis=users&axis=model`);
  await drawn(page);
  const box = await page.locator('.figure canvas').boundingBox();
  assert.ok(box);
  // The last bar of m1: in the left half of the last of four groups.
  await page.mouse.move(box.x + box.width * 0.82, box.y + box.height * 0.6);
  assert.match(await textOf(page, '.tip'), /^model=m1\nusers 8: 802 req\/s \(799 req\/s to 804 req\/s\)$/);
  await page.getByText('Values of the chart as a table').click();
  await page.locator('.values-table tbody tr').last().waitFor();
  const rows = await page.locator('.values-table tbody tr').allTextContents();
  assert.equal(rows.at(-1)?.replaceAll('\u202f', ' '), '8802 req/sno value');
  const legend = page.locator('.legend button', { hasText: 'model=m2' });
  await legend.click();
  await page.locator('.legend button[aria-pressed=false]', { hasText: 'model=m2' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the picture and the tables can be taken along', { skip }, async () => {
  const { page } = await pages.open(DESKTOP);
  await page.goto(`${address}?is.model=m1`);
  await drawn(page);
  const take = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.take-along').getByRole('link', { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  };
  assert.equal((await take('PNG')).subarray(1, 4).toString(), 'PNG');
  assert.match((await take('SVG')).toString(), /Only model=m1\./);
  assert.equal((await take('CSV of the tests')).toString().trim().split('\n').length, 1 + 15);
  assert.match((await take('CSV of the means')).toString(), /^users,all tests: mean,/);
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', {
  skip,
}, async () => {
  for (const look of LOOKS) {
    const { page, complaints } = await pages.open(look);
    await page.goto(address);
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('markup in names is text, zero and what is no number is said', { skip }, async () => {
  const hostile = '<img src=x onerror=alert(1)>{a|b}';
  const payloads = [0, 1, 2, 3].map((at) =>
    storedTest(
      at,
      { [hostile]: `${hostile}${at}` },
      {
        kpis: {
          [hostile]: {
            unit: hostile,
            help: hostile,
            lower_better: true,
            value: [0, 'NaN', 5, null][at] ?? null,
          },
        },
      },
    ),
  );
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${await pages.serve(await makeHome('hostile', payloads))}/matrix?y-scale=log&kpi=none`);
  await drawn(page);
  assert.equal(await page.locator('main img').count(), 0);
  assert.match(await textOf(page, '.problem'), /No test has a KPI "none"/);
  const notes = (await page.locator('.note').allTextContents()).join('\n');
  assert.match(notes, /2 tests without a value/);
  assert.match(notes, /no place for 0 and below: 1 value/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a home without tests says which command brings them', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${await pages.serve(await makeHome('empty', []))}/matrix`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No test of a matrix is stored here yet');
  assert.match(await textOf(page, '.command'), /^nightmark matrix kpi .* --store/);
  assert.deepEqual(complaints, []);
  await page.close();
});
