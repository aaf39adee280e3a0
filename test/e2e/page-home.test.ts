import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import { makeSampleHome } from '../sample-home.ts';
import {
  assertAccessible,
  assertFits,
  DESKTOP,
  drawn,
  LOOKS,
  noBrowser,
  PageTest,
} from '../support/browser.ts';
import { smallMatrix } from '../support/stored-tests.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-home-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  const deadline = join(home, 'config/subsystem/deadline');
  mkdirSync(deadline, { recursive: true });
  writeFileSync(
    join(deadline, 'config.json'),
    JSON.stringify({
      deadlines: { 'Paper <b>': { date: '2199-01-01 12:00:00' }, Gone: { date: '2020-01-01 12:00:00' } },
    }),
  );
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

test('the answer comes first, then what needs attention, then every value', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  const heading = (await page.textContent('h1')) ?? '';
  assert.match(heading, /^Last night: 4 of 5 experiments succeeded, 1 failed, 1 inactive, 1.h 12.min/);
  assert.match((await page.textContent('.lead')) ?? '', /Nothing newer for \d+/);
  const lines = await page.locator('.attention li').allTextContents();
  assert.ok(
    lines.some((line) => /failed broken: run stage log/.test(line)),
    lines.join('\n'),
  );
  assert.ok(lines.some((line) => /not run gone: was not part of the last night/.test(line)));
  const row = page.locator('table.data tr', { hasText: 'cpu / A' }).first();
  assert.match((await row.textContent()) ?? '', /\d/);
  assert.ok((await page.locator('svg.spark path.line').count()) > 0);
  assert.match((await page.textContent('.deadlines')) ?? '', /^Paper <b> in \d/);
  assert.equal(await page.locator('svg.nights a').count(), 40);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the filter and the sorting are in the address, and survive a reload and the way back', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  await page.getByLabel('filter').fill('sort B');
  await page.waitForURL('**/?filter=sort+B');
  await page.getByText(/hidden by the filter/).waitFor();
  const rows = page.locator('table.data tbody tr');
  const count = await rows.count();
  assert.ok(count >= 1);
  assert.deepEqual(await page.locator('table.data tbody a').allTextContents(), ['sort']);
  assert.match((await rows.allTextContents()).join('\n'), /cpu \/ B/);
  assert.match((await page.textContent('.controls')) ?? '', /\d+ rows? hidden by the filter/);
  await page.getByRole('button', { name: 'change' }).click();
  await page.waitForURL('**/?filter=sort+B&sort=-change');
  await page.reload();
  await drawn(page);
  assert.equal(await page.getByLabel('filter').inputValue(), 'sort B');
  assert.equal(await rows.count(), count);
  assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'change ↓');
  await rows.first().getByRole('link').first().click();
  await page.waitForURL('**/experiments/**');
  await page.goBack();
  await page.waitForURL('**/?filter=sort+B&sort=-change');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('keys go from row to row and open one', { skip }, async () => {
  const { page } = await pages.open(DESKTOP);
  await page.goto(address);
  await drawn(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('open the row').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  await page.keyboard.type('cpu?');
  assert.equal(await page.getByLabel('filter').inputValue(), 'cpu?');
  await page.getByLabel('filter').fill('');
  await page.keyboard.press('Escape');
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  assert.equal(await page.locator('tr.active').count(), 1);
  const name = await page.locator('tr.active a').first().textContent();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/experiments/${encodeURIComponent(name ?? '')}`);
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
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

test('a home without a night says which command brings one, and what else is there', { skip }, async () => {
  const empty = join(folder, 'empty');
  const index = homeLayout(empty).index;
  mkdirSync(dirname(index), { recursive: true });
  const store = await openSqliteStore(index);
  await store.savePayloads(smallMatrix());
  store.close();
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(await pages.serve(empty));
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No night has run in empty yet');
  assert.match((await page.textContent('.command')) ?? '', /^nightmark init .*empty$/);
  await page.getByRole('link', { name: '28 tests of matrices' }).click();
  await page.waitForURL('**/matrix');
  assert.deepEqual(complaints, []);
  await page.close();
});
