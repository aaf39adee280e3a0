import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  LOOKS,
  noBrowser,
  PageTest,
} from '../support/browser.ts';
import { HOSTILE_NAME, makeCompareHome, nightOf } from '../support/compare-home.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-compare-'));
const home = join(folder, 'home');
const pages = new PageTest();
const pair = `/compare/${nightOf(18)}..latest`;
let address = '';

before(async () => {
  if (skip) return;
  await makeCompareHome(home);
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

test('the answer, what differs with its interval, what failed and what else differs', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}${pair}`);
  await drawn(page);
  assert.match(
    (await page.textContent('h1')) ?? '',
    /^2 failed in head, 1 slower, .*2 only in base, 2 only in head$/,
  );
  assert.match((await page.textContent('.lead')) ?? '', /01-19-2026-0200.*repo a1a1a1a.*01-24-2026-0200/);
  const row = page.locator('table.data tbody tr', { hasText: 'slower' });
  assert.match((await row.textContent()) ?? '', /slower ?\+\d+\.\d.%sortcpu \/ A\+\d+\.\d to \+\d+\.\d.%/);
  assert.match((await page.textContent('.hidden-rows')) ?? '', /\d rows of other verdicts hidden: show all/);
  const differences = await page.locator('table.differences tbody tr').allTextContents();
  assert.deepEqual(differences, ['commit of repoa1a1a1ab2b2b2b', 'build.compiler (sort)gcc 12gcc 13']);
  assert.match((await page.textContent('section[aria-labelledby=failures]')) ?? '', /breaks, run stage log/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a row opens to both sides; filter, verdict and row survive a reload and the way back', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}${pair}`);
  await drawn(page);
  await page.getByRole('button', { name: 'slower', exact: false }).and(page.locator('table button')).click();
  await page.waitForURL('**row=sort%2Fcpu%2FA');
  await page.locator('svg.both-sides').waitFor();
  assert.equal(await page.locator('svg.both-sides circle.run').count(), 2);
  assert.equal(await page.locator('svg.both-sides circle.sample').count(), 18);
  assert.match((await page.textContent('.row-more')) ?? '', /Rests on the noise of 19 earlier runs/);
  await page.getByRole('button', { name: /^all \d/ }).click();
  await page.getByLabel('filter').fill('sort cpu');
  await page.waitForURL('**filter=sort+cpu');
  await page.reload();
  await drawn(page);
  assert.equal(await page.locator('table.data tbody tr:not(.more)').count(), 2);
  assert.equal(await page.locator('svg.both-sides').count(), 1);
  await page.getByRole('link', { name: 'swap' }).click();
  await page.waitForURL('**/compare/latest..**');
  await page.getByRole('heading', { level: 1, name: /1 faster/ }).waitFor();
  await page.goBack();
  await page.waitForURL('**filter=sort+cpu');
  await page.getByRole('heading', { level: 1, name: /1 slower/ }).waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('without sides the newest run is compared, and others can be typed; keys open a row', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/compare`);
  await drawn(page);
  assert.equal(await page.getByLabel('base').inputValue(), nightOf(22));
  await page.getByLabel('base').fill('machine:bench-1');
  await page.getByLabel('head').fill('machine:bench-2');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL('**/compare/machine:bench-1..machine:bench-2');
  await page.getByText(/The sides ran on different machines/).waitFor();
  for (const key of ['j', 'Enter']) await page.keyboard.press(key);
  await page.locator('.row-more').waitFor();
  // From the table of runs in two clicks, the older one as the base whichever was first.
  await page.goto(`${address}/runs`);
  await drawn(page);
  await page.getByRole('button', { name: 'compare' }).first().click();
  await page.waitForURL('**/runs?base=*');
  await page.reload();
  await page.getByRole('button', { name: 'chosen' }).waitFor();
  await page.locator('tbody').getByRole('link', { name: 'compare' }).first().click();
  await page.waitForURL(/\/compare\/(\d+-\d+)[^.]*\.\.(\d+-\d+)/);
  const [older = '', newer = ''] = new URL(page.url()).pathname.slice('/compare/'.length).split('..');
  assert.ok(older < newer, page.url());
  await page.goto(`${address}/compare/nothing..latest`);
  await page.getByText('No run is "nothing".').waitFor();
  assert.equal(await page.getByLabel('base').inputValue(), 'nothing');
  assert.deepEqual(
    complaints.filter((text) => !text.includes('404')),
    [],
  );
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  for (const look of LOOKS) {
    const { page, complaints } = await pages.open(look);
    await page.goto(`${address}${pair}?show=all&row=sort%2Fcpu%2FA`);
    await drawn(page);
    assert.ok((await page.getByText(HOSTILE_NAME).count()) > 0, 'names are text');
    await assertFits(page);
    await assertAccessible(page);
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('an empty home says what would be here', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${await pages.serve(empty)}/compare`);
  await page.getByText(/No run has results yet; this command measures one/).waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});
