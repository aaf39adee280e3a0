import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
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

const skip = noBrowser;
const home = mkdtempSync(join(tmpdir(), 'nightmark-page-points-'));
const pages = new PageTest();
const FIRST_MS = Date.UTC(2026, 0, 5);
let address = '';

async function post(path: string, body = ''): Promise<number> {
  return (await fetch(`${address}${path}`, { method: 'POST', body })).status;
}

/** One value a second; that of host b is 100 higher, with one spike. */
function lines(host: string, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const value = (host === 'b' ? 100 : 0) + (i % 10) + (host === 'b' && i === 12_345 ? 5000 : 0);
    return `cpu,host=${host} busy=${value},note="x" ${FIRST_MS + i * 1000}`;
  }).join('\n');
}

before(async () => {
  if (skip) return;
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(home, { recursive: true });
});

test('without points the page says how to send some', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/points`);
  await drawn(page);
  assert.match((await page.textContent('h1')) ?? '', /^0 points in \d databases?$/);
  assert.match(
    (await page.locator('.command').last().textContent()) ?? '',
    /^curl -X POST 'http.*\/write\?db=/,
  );
  assert.equal(await page.getByText('No line was refused.').count(), 1);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the explorer draws what is stored, with its choice and its zoom in the address', { skip }, async () => {
  await post('/query?q=CREATE+DATABASE+lab');
  assert.equal(await post('/write?db=lab&precision=ms', lines('a', 15_000)), 204);
  assert.equal(await post('/write?db=lab&precision=ms', lines('b', 15_000)), 204);
  assert.equal(await post('/write?db=lab', 'mem,host=<b>x</b> used=1i'), 204);
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/points`);
  await drawn(page);
  const explorer = page.getByRole('region', { name: 'Explorer' });
  await explorer.getByText('30 000 points of 2 series, minimum and maximum').waitFor();
  assert.deepEqual(await explorer.locator('.keys li').allTextContents(), ['▬ host=a', '▬ host=b']);
  await explorer.getByLabel('host').selectOption('b');
  await page.waitForURL('**/points?tag=host%3Db');
  // Few enough to be drawn as they were written.
  await explorer.getByText('15 000 points of 1 series, raw values').waitFor();
  await page.goto(`${address}/points?zoom=${FIRST_MS}..${FIRST_MS + 100_000}`);
  await explorer.getByText('200 points of 2 series, raw values').waitFor();
  await page.reload();
  await explorer.getByText('200 points of 2 series').waitFor();
  await explorer.getByRole('button', { name: 'show all' }).click();
  await page.waitForURL(`${address}/points`);
  await explorer.getByLabel('measurement').selectOption('mem');
  await page.waitForURL('**/points?m=mem');
  await explorer.getByText('1 point of 1 series').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.goBack();
  await explorer.getByText('1 point of 1 series').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('what comes in and what is refused shows without loading the page again', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/points?m=mem`);
  await drawn(page);
  // The first answer of the events says what is known: what comes later is news.
  await page.waitForTimeout(1200);
  const before = await page.textContent('h1');
  await post('/write?db=lab', 'mem,host=<b>x</b> used=2i');
  assert.equal(await post('/write?db=lab', 'bad <script>alert(1)</script>'), 400);
  await page.locator('code.path', { hasText: 'bad <script>alert(1)</script>' }).waitFor();
  await page.getByText('2 points of 1 series').waitFor();
  assert.notEqual(await page.textContent('h1'), before);
  await assertAccessible(page);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('dark, on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  const { page, complaints } = await pages.open({ ...PHONE, colorScheme: 'dark' });
  await page.goto(`${address}/points`);
  await drawn(page);
  await page.getByText('30 000 points').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  assert.deepEqual(complaints, []);
  await page.close();
});
