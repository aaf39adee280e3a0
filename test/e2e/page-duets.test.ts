import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { runInProcess } from '../support/in-process.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-duets-'));
const home = join(folder, 'home');
const duets = join(home, 'results/duets');
const pages = new PageTest();
let address = '';

/** Two ways to sort, as in examples/duet; names full of markup. */
const SUITE = `duetbench:
  name: sorting <b>
  suite: dacapo
  seed: 7
  duet_repetitions: 2
  run_base: node "$NIGHTMARK_DUET_DIR/sort.mjs" --iterations 10 --out results.csv
  results: [results.csv]
  artifacts: { hostname: "echo <script>alert(1)</script>" }
  duets: [numbers]
numbers:
  A: { run: --input numbers --sorter built-in }
  B: { run: --input numbers --sorter merge }
`;

before(async () => {
  if (skip) return;
  mkdirSync(duets, { recursive: true });
  copyFileSync('test/golden/duet/simulated.csv', join(duets, 'simulated.csv'));
  copyFileSync('examples/duet/sort.mjs', join(folder, 'sort.mjs'));
  writeFileSync(join(folder, 'duet.yml'), SUITE);
  const ran = await runInProcess(['duet', 'run', join(folder, 'duet.yml'), '-o', join(duets, 'sorting')]);
  assert.equal(ran.code, 0, ran.stderr);
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

const plain = (text: string | null) => (text ?? '').replaceAll('\u202f', ' ');

test('the list has every duet of the home with its verdict', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/duets`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), '2 duets');
  const row = page.locator('table.data tbody tr', { hasText: 'simulated.csv' });
  assert.match(
    plain(await row.textContent()),
    /9 comparisons: 2 slower, 3 faster, 3 undecided, 1 same within 1 %\./,
  );
  const own = page.locator('table.data tbody tr', { hasText: 'sorting' });
  assert.match(plain(await own.textContent()), /1 comparison: .*2 of 2finished/);
  await page.getByLabel('filter').fill('sort');
  await page.waitForURL('**/duets?filter=sort');
  assert.match(plain(await page.textContent('.controls')), /1 duet hidden by the filter/);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a comparison and a run are in the address, and survive a reload and the way back', {
  skip,
}, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/duets/simulated.csv`);
  await drawn(page);
  assert.equal(await page.textContent('#comparison'), 'renaissance/als (duet): B is 3.1 % slower than A');
  assert.match(
    plain(await page.textContent('table.facts')),
    /Ratio B \/ A1\.031, 95 % interval 1\.022 to 1\.041/,
  );
  assert.equal(await page.getByRole('img', { name: /7 iterations of A above 7 iterations of B/ }).count(), 1);
  await page.getByRole('button', { name: 'Show run 3' }).click();
  await page.waitForURL('**/simulated.csv?run=3');
  await page.getByRole('heading', { name: /^Run 3, B started first/ }).waitFor();
  await page.getByRole('button', { name: 'dacapo/fop (duet)' }).click();
  await page.getByText('A and B are the same within 1 %').waitFor();
  const chosen = page.url();
  assert.match(chosen, /\?group=dacapo%2Ffop\+%28duet%29$/);
  await page.reload();
  await drawn(page);
  assert.match(
    (await page.textContent('#comparison')) ?? '',
    /^dacapo\/fop \(duet\): A and B are the same within 1 %/,
  );
  await page.goBack();
  await page.getByText('renaissance/als (duet): B is 3.1 % slower than A').waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a folder reports what was run, where its sides differ, and how to run it again', { skip }, async () => {
  const { page, complaints } = await pages.open(DESKTOP);
  await page.goto(`${address}/duets/sorting`);
  await drawn(page);
  assert.match((await page.textContent('h1')) ?? '', /^numbers: /);
  assert.match(plain(await page.textContent('.lead')), /^results\/duets\/sorting, .*2 of 2 runs\./);
  const settings = page.locator('table', { hasText: 'setting' }).first();
  assert.match(plain(await settings.textContent()), /command.*--sorter built-in.*--sorter merge/);
  await page.getByText('2 settings the same on both sides').waitFor();
  const commands = await page.locator('code.command').allTextContents();
  assert.equal(commands[0], `nightmark duet run --seed 7 ${join(folder, 'duet.yml')}`);
  assert.equal(commands[1], 'nightmark duet analyze results/duets/sorting');
  const area = page.locator('figure', { hasText: 'Iterations over time' }).locator('.u-over');
  await area.scrollIntoViewIfNeeded();
  const over = await area.boundingBox();
  assert.ok(over);
  const told = page.locator('.below');
  // Where exactly an iteration of A lies differs from run to run.
  for (let part = 0.02; part < 1 && !/^A/.test((await told.textContent()) ?? ''); part += 0.02)
    await page.mouse.move(over.x + over.width * part, over.y + over.height / 4);
  assert.match(plain(await told.textContent()), /^A \d+: [\d.]+ [mµ]?s, (?:warm-up|in \d+ pairs?)$/);
  await page.mouse.move(over.x + over.width / 4, over.y + over.height / 4);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width / 2, over.y + over.height / 4, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL('**/sorting?lanes=*');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('light on a desktop, dark on a phone: nobody is kept out, nothing sticks out', { skip }, async () => {
  for (const look of LOOKS) {
    const { page, complaints } = await pages.open(look);
    for (const path of ['/duets', '/duets/sorting', '/duets/simulated.csv']) {
      await page.goto(`${address}${path}`);
      await drawn(page);
      await assertFits(page);
      await assertAccessible(page);
    }
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

test('a home without duets says which command brings the first, and a wrong name is reported', {
  skip,
}, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const other = await pages.serve(empty);
  const { page } = await pages.open(DESKTOP);
  await page.goto(`${other}/duets`);
  await drawn(page);
  assert.equal(await page.textContent('h1'), 'No duet in this home yet');
  assert.equal(await page.textContent('.command'), 'nightmark duet run duet.yml -o results/duets/first');
  await page.goto(`${other}/duets/${encodeURIComponent('../..')}`);
  await page.getByText('There is no such duet in this home').waitFor();
  await page.close();
});
