import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  noBrowser,
  PageTest,
  PHONE,
} from '../support/browser.ts';
import { makeCurveHome } from '../support/curve-home.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-curves-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

before(async () => {
  if (skip) return;
  makeCurveHome(home);
  const hostile = join(home, 'results/experiments/data/rl/zz<img src=x onerror=alert(1)>/algo=<b>/seed_1');
  mkdirSync(hostile, { recursive: true });
  writeFileSync(join(hostile, 'progress.csv'), 'step,<script>alert(1)</script>\n1,2\n2,3\n');
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

test('every task has its curves, and the table says what they came to', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/curves`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), '4 algorithms on 4 tasks, against 1 baseline');
  assert.equal(await page.locator('figure .u-wrap').count(), 4);
  const figure = page.locator('figure', { hasText: 'Reacher-v2' });
  assert.match((await figure.locator('.notes').textContent()) ?? '', /^Not run: td3-garage, <b>\.$/);
  const row = (task: string) => page.locator('table.data tbody tr', { hasText: task });
  const cells = async (task: string) =>
    (await row(task).locator('td').allTextContents()).map((text) => text.replaceAll('\u202f', ' '));
  assert.deepEqual((await cells('Reacher-v2')).slice(0, 4), [
    'Reacher-v2',
    '−5.30 [−5.52, −5.08]',
    'not run',
    '−10.6 [−11.0, −10.2]',
  ]);
  const cheetah = await cells('HalfCheetah-v2');
  assert.equal(cheetah[1], '3 000 [2 877, 3 123]▲ +1 498 better');
  assert.equal(cheetah[3], '1 500 [1 438, 1 562]−2 ~');
  assert.equal((await cells('Hopper-v2')).at(-1), 'none stored');
  assert.match((await page.textContent('details summary')) ?? '', /^1 file without a curve$/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('what is chosen is in the address, and survives a reload and the way back', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/curves`);
  await drawn(page);
  await page.getByLabel('line and band').selectOption('population');
  await page.getByLabel('table of').selectOption('best');
  await page.getByLabel('single seeds').check();
  await page.locator('.legend').getByRole('button', { name: 'trpo-garage' }).click();
  const wanted = '**/curves?band=population&score=best&seeds=1&hide=trpo-garage';
  await page.waitForURL(wanted);
  await page.reload();
  await drawn(page);
  assert.equal(await page.getByLabel('table of').inputValue(), 'best');
  assert.ok(await page.getByLabel('single seeds').isChecked());
  assert.equal(
    await page.locator('.legend').getByRole('button', { name: 'trpo-garage' }).getAttribute('aria-pressed'),
    'false',
  );
  const heads = (await page.locator('table.data thead th').allTextContents()).join();
  assert.ok(!heads.includes('trpo'), heads);
  const chart = page.locator('figure', { hasText: 'HalfCheetah-v2' }).locator('.plot');
  // Two algorithms and a baseline, with four, four and three seeds.
  assert.match((await chart.getAttribute('aria-label')) ?? '', /^14 lines/);
  const hopper = page.locator('table.data tbody tr', { hasText: 'Hopper-v2' }).locator('td').nth(1);
  assert.equal((await hopper.textContent())?.replaceAll('\u202f', ' '), '2 400 [2 346, 2 454]');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.waitForURL(`${address}/`);
  await page.goBack();
  await page.waitForURL(wanted);
  assert.deepEqual(complaints, []);
  await page.close();
});

const LOOKS = [
  ['light, on a desktop', { ...DESKTOP, colorScheme: 'light' }],
  ['dark, on a phone', { ...PHONE, colorScheme: 'dark' }],
] as const;
for (const [look, options] of LOOKS) {
  test(`${look}: nobody is kept out, nothing sticks out`, { skip }, async () => {
    const { page, complaints } = await pages.open(options);
    await page.goto(`${address}/curves`);
    await drawn(page);
    await assertFits(page);
    await assertAccessible(page);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

test('the scores of every seed are one click away as CSV', { skip }, async () => {
  const text = await (await fetch(`${address}/api/curves/scores.csv`)).text();
  const [head, ...rows] = text.trimEnd().split('\n');
  assert.equal(head, 'task,algorithm,baseline,seed,y,final,best,area');
  assert.equal(rows.length, 8 * 4 + 3 + 1);
  const seed = 'HalfCheetah-v2,ppo-garage,false,3,Evaluation/AverageReturn,3030,3030,';
  assert.ok(
    rows.some((row) => row.startsWith(seed)),
    text,
  );
});

test('a home without curves says where they come from', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${await pages.serve(empty)}/curves`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No learning curves yet');
  assert.match((await page.textContent('.calm')) ?? '', /progress\.csv/);
  assert.deepEqual(complaints, []);
  await page.close();
});
