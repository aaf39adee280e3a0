import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { HOSTILE, LONG } from '../sample-home.ts';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  LOOKS,
  noBrowser,
  PageTest,
} from '../support/browser.ts';
import { makeChangesHome } from '../support/changes-home.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-changes-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

before(async () => {
  if (skip) return;
  await makeChangesHome(home, [
    { experiment: 'sort', at: 30, factor: 1.1 },
    { experiment: 'json', at: 40, factor: 0.8 },
    { experiment: 'reward', at: 20, factor: 1.3, better: 'unknown' },
    { experiment: HOSTILE, at: 35, factor: 1.2 },
    { experiment: LONG, at: 36, factor: 1.05 },
  ]);
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

const plain = (text: string | null) => (text ?? '').replaceAll('\u202f', ' ');
const rowOf = (page: Page, words: string) => page.locator('table.data tbody tr', { hasText: words }).first();

test('the answer, then every open change with interval, commit and picture', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/changes`);
  await drawn(page);
  assert.equal(
    await page.textContent('h1'),
    '3 open regressions, 1 open change of unknown direction, 1 open improvement',
  );
  const row = rowOf(page, 'sort');
  assert.match(plain(await row.textContent()), /▲ \+10\.0 % worse\+9\.\d to \+10\.\d %/);
  await row.locator('svg.spark .mark-line').waitFor({ state: 'attached' });
  assert.match(plain(await row.textContent()), /2025-12-01bbbb222/);
  assert.equal(await page.locator('table.data tbody tr').count(), 5);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('filters are in the address, counted, and survive a reload and the way back', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/changes`);
  await drawn(page);
  await page.getByLabel('direction').selectOption('better');
  await page.waitForURL('**/changes?direction=better');
  const rows = page.locator('table.data tbody tr');
  assert.equal(await rows.count(), 1);
  assert.match(plain(await page.textContent('.controls')), /4 changes hidden show all/);
  await page.reload();
  await drawn(page);
  assert.equal(await rows.count(), 1);
  await rows.first().getByRole('link').first().click();
  await page.waitForURL('**/changes/*');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.goBack();
  await page.waitForURL('**/changes?direction=better');
  await page.getByRole('button', { name: 'show all' }).click();
  await page.waitForURL('**/changes?state=all');
  assert.equal(await rows.count(), 5);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('keys and buttons say what changes are, and take it back', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/changes?text=json`);
  await drawn(page);
  await page.getByLabel('your name').fill('Ada <i>');
  await page.locator('.table-scroll').first().focus();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await page.getByText(/ is expected/).waitFor();
  await page.getByText('No change matches the filter.').waitFor();
  await page.getByRole('button', { name: 'undo' }).click();
  await rowOf(page, 'json').waitFor();
  await page.goto(`${address}/changes?state=all`);
  await drawn(page);
  for (const name of ['sort', 'reward']) await rowOf(page, name).getByRole('checkbox').check();
  await page.getByLabel('note').fill('nightly <b>noise</b>');
  await page.getByRole('button', { name: 'false', exact: true }).click();
  await page.getByText('2 changes are false').waitFor();
  const row = rowOf(page, 'sort');
  await row.getByText('false', { exact: true }).waitFor();
  assert.match(plain(await row.textContent()), /Ada <i>: nightly <b>noise<\/b>/);
  assert.match(plain(await page.textContent('#scores + p')), /^Of 2 changes .* 2 were false/);
  await page.getByRole('button', { name: 'undo' }).click();
  await page.getByText('Undone: 2 changes are false').waitFor();
  await page.locator('h1', { hasText: '3 open regressions' }).waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('one change: history, what else changed, commands, and its life', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/changes?text=sort`);
  await drawn(page);
  await rowOf(page, 'sort').getByRole('link').first().click();
  await page.waitForURL('**/changes/*');
  await drawn(page);
  await page.getByText('repo went from aaaa111 to bbbb222; nothing else that is recorded changed.').waitFor();
  assert.match(plain(await page.textContent('h1')), /▲ \+10\.0 % worse sort time/);
  assert.match(
    plain(await page.textContent('.lead')),
    /12\.0 ms → 13\.2 ms, \+9\.\d to \+10\.\d % \(95 % interval\)/,
  );
  const [id = ''] = new URL(page.url()).pathname.split('/').slice(-1);
  const commands = await page.locator('code.command').allTextContents();
  assert.deepEqual(commands, [
    `nightmark changes confirm ${id}`,
    'nightmark bisect sort --good aaaa111 --bad bbbb222 --metric time',
    `nightmark changes show ${id}`,
  ]);
  assert.match(plain(await page.locator('.life').textContent()), /found at 20251201-020000-test: \+10\.0 %/);
  await page.keyboard.press('c');
  await page.getByText(`${id} is confirmed`).waitFor();
  await page.locator('.life', { hasText: 'marked as confirmed' }).waitFor();
  await page.keyboard.press('u');
  await page.getByText(`Undone: ${id} is confirmed`).waitFor();
  assert.ok(await page.locator('canvas').count());
  // What was said is read again, and the chart drawn anew with it.
  let canvas = await page.locator('.history .u-over').boundingBox();
  for (let look = 0; canvas === null && look < 50; look++) {
    await page.waitForTimeout(100);
    canvas = await page.locator('.history .u-over').boundingBox();
  }
  assert.ok(canvas);
  await page.mouse.move(canvas.x + 100, canvas.y + 50);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 400, canvas.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL('**/changes/*?zoom=*');
  await page.getByRole('button', { name: 'show everything' }).click();
  await page.waitForURL(`**/changes/${id}`);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  for (const look of LOOKS) {
    const { page, complaints } = await pages.open(look);
    await page.goto(`${address}/changes?state=all`);
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
    await rowOf(page, 'script').getByRole('link').first().click();
    await page.waitForURL('**/changes/*');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('an empty home, and a change that is not there', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { page } = await pages.open(DESKTOP);
  const other = await pages.serve(empty);
  await page.goto(`${other}/changes`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No open regression');
  assert.equal(await page.textContent('.command'), 'nightmark changes');
  await page.goto(`${other}/changes/nothing`);
  await page.getByText('There is no change "nothing" in this home.').waitFor();
  await page.close();
});
