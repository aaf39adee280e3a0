import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import { HOSTILE, LAST_NIGHT, LONG, makeSampleHome, nightId } from '../sample-home.ts';
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
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-experiment-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  await addMore();
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

test('the answer, the charts, what the scripts say, stages, telemetry and runs', { skip }, async () => {
  const { page, complaints } = await open('/experiments/sort');
  const lead = plain((await page.textContent('.lead')) ?? '');
  assert.match(
    lead,
    /^2 open regressions: the largest is cpu \/ [AB] ▲ \+\d\d\.\d % worse since 6de6d63-dirty/,
  );
  assert.match(lead, /Newest run: ✓ succeeded, .* ago, took 1 min 1 s, repo 6de6d63-dirty, on bench-1\./);
  assert.equal(await page.locator('.metric canvas').count(), 4);
  const first = plain((await page.locator('.metric').first().textContent()) ?? '');
  assert.match(
    first,
    /cpu \/ A\s*15\.\d ms ▲ \+19\.\d % worse\s+lower is better, 40 runs, axis not from zero/,
  );
  assert.match(first, /▲ \+\d\d\.\d % worse since 2026-01-31, provisional/);
  assert.equal(await page.textContent('.summary'), '12.5 ms\nsecond line');
  assert.equal(await page.textContent('.summary em'), '12.5 ms');
  const picture = page.locator('.pictures img').first();
  await picture.scrollIntoViewIfNeeded();
  const width = await picture.evaluate(async (element) => {
    const image = element as unknown as { decode(): Promise<void>; naturalWidth: number };
    await image.decode();
    return image.naturalWidth;
  });
  assert.equal(width, 200);
  assert.equal(await page.locator('.telemetry canvas').count(), 1);
  assert.match(
    (await page.textContent('.under-timeline')) ?? '',
    /1 disturbed period: something waited for a CPU/,
  );
  assert.equal(await page.locator('.run-strip a').count(), 40);
  const data = await page.getAttribute('a:has-text("JSON, 21")', 'href');
  assert.equal(data, '/files/data/sort/data_01-31-2026-0200.json');
  await assertAccessible(page);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the pointer names run, commit and machine; a click goes there, and back', { skip }, async () => {
  const { page, complaints } = await open('/experiments/sort');
  const box = await chartBox(page);
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.8);
  const words = plain((await page.textContent('.history .hover')) ?? '');
  assert.match(words, /^12\.\d ms .*run 202\d+-020000-testcommit 6de6d63-dirtymachine bench-1$/);
  const run = /run (\S+-test)/.exec(words)?.[1] ?? '';
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.8);
  await page.waitForURL(`**/runs/${run}`);
  await page.goBack();
  await drawn(page);
  assert.equal(await page.locator('.metric canvas').count(), 4);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the stretch, the axes and the search are in the address', { skip }, async () => {
  const { page, complaints } = await open('/experiments/sort');
  const box = await chartBox(page);
  await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/zoom=\d+\.\.\d+/);
  await page.locator('label:has-text("Axis") select').selectOption('commit');
  await page.locator('label:has-text("Scale") select').selectOption('log');
  await page.locator('input[type=search]').fill('cpu b');
  await page.waitForURL(/axis=commit.*scale=log.*search=cpu\+b/);
  await page.reload();
  await drawn(page);
  assert.equal(await page.locator('.metric canvas').count(), 1);
  assert.equal(await page.locator('input[type=search]').inputValue(), 'cpu b');
  assert.equal(await page.locator('label:has-text("Axis") select').inputValue(), 'commit');
  assert.match((await page.textContent('.pages')) ?? '', /3 values have other names/);
  assert.match(
    (await page.textContent('.chip[aria-pressed=true]')) ?? '',
    /^202\d-\d\d-\d\d to 2026-\d\d-\d\d: show all$/,
  );
  await page.locator('.pages button', { hasText: 'show all' }).click();
  await page.waitForURL((url) => !url.search.includes('search'));
  await drawn(page);
  await page.locator('.metric .plot .u-over').first().dblclick();
  await page.waitForURL((url) => !url.search.includes('zoom'));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('two runs are chosen by clicks with shift, and compared', { skip }, async () => {
  const { page } = await open('/experiments/sort');
  const box = await chartBox(page);
  await page.keyboard.down('Shift');
  await page.mouse.click(box.x + box.width * 0.2, box.y + box.height * 0.8);
  await page.waitForURL(/base=/);
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.8);
  await page.waitForURL(/head=/);
  await page.keyboard.up('Shift');
  const { searchParams } = new URL(page.url());
  const [base, head] = [searchParams.get('base'), searchParams.get('head')];
  assert.ok(base !== null && head !== null && base < head);
  assert.equal(
    await page.getAttribute('a:has-text("Compare these two")', 'href'),
    `/compare/${base}..${head}`,
  );
  await page.close();
});

test('very many values are searched by the server and shown in pages', { skip }, async () => {
  const { page, complaints } = await open('/experiments/many');
  assert.match(plain((await page.textContent('.pages')) ?? ''), /Values 1 to 12 of 1 000 values/);
  await page.locator('.pages button', { hasText: 'More' }).click();
  await page.waitForURL(/first=12/);
  await page.locator('.pages', { hasText: 'Values 13 to 24' }).waitFor();
  await page.goBack();
  await page.locator('.pages', { hasText: 'Values 1 to 12' }).waitFor();
  await page.locator('input[type=search]').fill('0999');
  await page.locator('.pages', { hasText: 'other names' }).waitFor();
  assert.deepEqual(await page.locator('.metric h3').allTextContents(), ['group / value 0999']);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('failures, hostile and long names, nothing at all: on a phone, in the dark', { skip }, async () => {
  const { page, complaints } = await open('/experiments/broken', { ...PHONE, colorScheme: 'dark' });
  assert.match((await page.textContent('.lead')) ?? '', /✕ failed in stage run \(exit 1\)/);
  assert.match((await page.textContent('.message')) ?? '', /<b>boom<\/b>/);
  assert.match((await page.textContent('.legend')) ?? '', /Cross: failed \(5 runs\)/);
  assert.equal(
    await page.getAttribute('a:text-is("log")', 'href'),
    `/runs/${nightId(0)}/logs/experiment/broken/run`,
  );
  await assertFits(page);
  await assertAccessible(page);
  for (const name of [HOSTILE, LONG, 'sort', 'idle']) {
    await page.goto(`${address}/experiments/${encodeURIComponent(name)}`);
    await drawn(page);
    await assertFits(page);
  }
  assert.deepEqual(complaints, []);
  await page.goto(`${address}/experiments/nothing`);
  await drawn(page);
  assert.match((await page.textContent('.problem')) ?? '', /No experiment "nothing".*nightmark reindex/);
  await page.close();
});

async function open(path: string, options: Parameters<PageTest['open']>[0] = DESKTOP) {
  const opened = await pages.open(options);
  await opened.page.goto(`${address}${path}`);
  await drawn(opened.page);
  return opened;
}

async function chartBox(page: Page) {
  const over = page.locator('.metric .plot .u-over').first();
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  assert.ok(box);
  return box;
}

/** Thin spaces as ordinary ones. */
function plain(text: string): string {
  return text.replaceAll('\u202f', ' ');
}

/** Telemetry of the last night of sort, and an experiment of very many values. */
async function addMore(): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  const times = Float64Array.from({ length: 60 }, (_, second) => LAST_NIGHT + 1_000 * second);
  const values = times.map((_, second) => (second > 20 && second < 30 ? 40 : 1));
  const tags = { experiment: 'sort', label: 'cpu-some' };
  await store.appendPoints(nightId(0), [{ name: 'cpu.proc-pressure', tags, unit: '%', times, values }]);
  await store.saveTrials([
    { runId: nightId(0), task: 'many', kind: 'experiment', state: 'succeeded', message: '', commits: {} },
  ]);
  const many = Array.from({ length: 1_000 }, (_, value) => {
    const path = ['group', `value ${String(value).padStart(4, '0')}`];
    return { experiment: 'many', path, value, unit: 's' };
  });
  await store.saveValues({ runId: nightId(0), task: 'many', at: LAST_NIGHT, values: many });
  store.close();
}
