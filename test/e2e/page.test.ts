import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makeSampleHome } from '../sample-home.ts';

const executablePath = process.env['NIGHTMARK_TEST_CHROMIUM'] ?? '/usr/bin/chromium';
const skip = existsSync(executablePath)
  ? false
  : `no browser at ${executablePath}: "apt install chromium", or name one in NIGHTMARK_TEST_CHROMIUM`;
if (skip) console.log(`Skipped: ${skip}`);

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-'));
const home = join(folder, 'home');
const servers: ChildProcess[] = [];
let browser: Browser;
let address: string;

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  address = await serve(home);
  browser = await chromium.launch({ executablePath, args: ARGUMENTS });
});
after(async () => {
  await browser?.close();
  for (const server of servers) server.kill('SIGTERM');
  rmSync(folder, { recursive: true });
});

test('the first page shows the answer and a sparkline, and the log of a failure opens', {
  skip,
}, async () => {
  const { page, complaints } = await open({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  assert.match((await page.textContent('h1')) ?? '', /^Last night: 4 of 5 experiments succeeded, 1 failed/);
  assert.ok((await page.locator('svg.spark polyline').count()) > 0);
  await page.locator('.attention a', { hasText: 'log' }).first().click();
  await page.waitForURL('**/logs/experiment/broken/run');
  assert.match((await page.textContent('pre.log')) ?? '', /red <b>boom<\/b>\nexit 1/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('every kind of page is fine in the eyes of the browser', { skip }, async () => {
  const { page, complaints } = await open({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  const night = (await page.getAttribute('.nights a:last-of-type', 'href')) ?? '';
  for (const path of ['', 'experiments/sort', 'experiments/broken', night.slice(1), 'runs']) {
    const response = await page.goto(`${address}${path}`);
    assert.equal(response?.status(), 200, path);
  }
  await page.goto(`${address}experiments/sort`);
  const picture = page.locator('.pictures img').first();
  assert.ok(
    await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
  );
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('names with markup stay text', { skip }, async () => {
  const { page, complaints } = await open({ viewport: { width: 1280, height: 900 } });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
  await page.goto(address);
  const link = page.locator('table.experiments a', { hasText: '<script>alert("1")' }).first();
  await link.click();
  assert.match((await page.textContent('h1')) ?? '', /<script>alert\("1"\)<b> & 'quote'/);
  assert.deepEqual([dialogs, complaints], [[], []]);
  await page.context().close();
});

test('dark is dark, light is light', { skip }, async () => {
  for (const [colorScheme, background] of [
    ['dark', 'rgb(20, 23, 26)'],
    ['light', 'rgb(255, 255, 255)'],
  ] as const) {
    const { page } = await open({ colorScheme });
    await page.goto(address);
    const color = await page.locator('body').evaluate((body) => {
      const window = globalThis as unknown as {
        getComputedStyle(element: unknown): { backgroundColor: string };
      };
      return window.getComputedStyle(body).backgroundColor;
    });
    assert.equal(color, background);
    await page.context().close();
  }
});

test('on a phone nothing is wider than the screen', { skip }, async () => {
  const { page, complaints } = await open({ viewport: { width: 390, height: 844 } });
  await page.goto(address);
  const night = (await page.getAttribute('.nights a:last-of-type', 'href')) ?? '';
  for (const path of ['', 'experiments/sort', night.slice(1), 'runs', 'experiments/nothing']) {
    await page.goto(`${address}${path}`);
    const width = await page
      .locator('html')
      .evaluate((root) => (root as unknown as { scrollWidth: number }).scrollWidth);
    assert.equal(width, 390, path);
  }
  // The 404 is itself a line in the console.
  assert.equal(complaints.length, 1);
  await page.context().close();
});

test('an open page shows a night that comes in', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { page } = await open({});
  await page.goto(await serve(empty));
  assert.equal(await page.textContent('h1'), 'No night yet');
  await makeSampleHome(empty, 1);
  await page.locator('h1', { hasText: 'Last night' }).waitFor({ timeout: 30_000 });
  await page.context().close();
});

async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  return { page, complaints };
}

/** The real binary, on any free port. */
function serve(dir: string): Promise<string> {
  const server = spawn(process.execPath, ['dist/src/cli/main.js', 'serve', dir, '--port', '0']);
  servers.push(server);
  return new Promise((done, failed) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const found = /at (\S+)\n/.exec(text)?.[1];
      if (found) done(found);
    });
    server.stderr.on('data', (data) => {
      text += data;
    });
    server.on('exit', () => failed(new Error(text)));
  });
}
