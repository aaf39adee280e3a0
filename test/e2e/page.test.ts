import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { PAGE_ROUTES } from '../../src/platform/core/site/page-routes.ts';
import { makeSampleHome, nightId } from '../sample-home.ts';
import {
  openPage,
  type ServedHome,
  serveHome,
  settled,
  skipWithoutBrowser,
  startBrowser,
  stopServers,
} from '../support/chromium.ts';
import { runInProcess } from '../support/in-process.ts';
import { freePort } from '../support/real-server.ts';

const skip = skipWithoutBrowser();
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-'));
const home = join(folder, 'home');
let served: ServedHome;
let browser: Browser;

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  [served, browser] = await Promise.all([serveHome(home), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await stopServers();
  rmSync(folder, { recursive: true });
});

/** Every page that the sample home can fill. */
const PLACES = PAGE_ROUTES.filter(
  (route) => !/^\/(?:jobs|changes|duets|machines|compare)\/:/.test(route),
).map((route) =>
  route
    .replace(':name', 'sort')
    .replace(':id', nightId(0))
    .replace(':kind', 'experiment')
    .replace(':task', 'broken')
    .replace(':stage', 'run')
    .slice(1),
);

test('every page is drawn without a complaint, has one heading, and fits on a phone', { skip }, async () => {
  const { page, complaints } = await openPage(browser);
  for (const place of PLACES) {
    await page.setViewportSize({ width: 1280, height: 900 });
    const response = await page.goto(`${served.url}${place}`);
    assert.equal(response?.status(), 200, place);
    await settled(page);
    assert.equal(await page.locator('h1').count(), 1, place);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction('document.documentElement.scrollWidth === 390', undefined, { timeout: 5_000 });
    assert.deepEqual(complaints, [], place);
  }
  await page.context().close();
});

test('links change the page without loading it, and back leads back', { skip }, async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(served.url);
  await settled(page);
  await page.evaluate('globalThis.isTheSame = true');
  await page.locator('nav a', { hasText: 'Runs' }).click();
  await page.waitForURL('**/runs');
  assert.equal(await page.evaluate('globalThis.isTheSame'), true);
  await page.goBack();
  await page.waitForURL(served.url);
  await settled(page);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('dark is dark, light is light', { skip }, async () => {
  for (const [colorScheme, background] of [
    ['dark', 'rgb(20, 23, 26)'],
    ['light', 'rgb(255, 255, 255)'],
  ] as const) {
    const { page } = await openPage(browser, { colorScheme });
    await page.goto(served.url);
    await settled(page);
    const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(color, background);
    await page.context().close();
  }
});

test('an open page shows a night that comes in', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const other = await serveHome(empty);
  const { page, complaints } = await openPage(browser);
  await page.goto(other.url);
  await settled(page);
  assert.equal(await page.getByText('sort', { exact: true }).count(), 0);
  await makeSampleHome(empty, 1);
  await page.getByText('sort', { exact: true }).first().waitFor({ timeout: 30_000 });
  await page
    .getByText('This is the first night: what became faster or slower is told from the 4th on')
    .waitFor();
  assert.equal(await page.locator('th', { hasText: /^1 night$/ }).count(), 1);
  assert.deepEqual(complaints, []);
  await page.context().close();
  await other.stop();
});

test('while the server is away the page says so, and goes on when it is back', { skip }, async () => {
  const moving = join(folder, 'moving');
  await makeSampleHome(moving, 1);
  const port = String(await freePort());
  const first = await serveHome(moving, ['--port', port]);
  const { page } = await openPage(browser);
  await page.goto(first.url);
  await settled(page);
  const note = page.getByText('The server does not answer');
  await first.stop();
  await note.waitFor({ timeout: 30_000 });
  assert.ok((await page.getByText('sort', { exact: true }).count()) > 0);
  const second = await serveHome(moving, ['--port', port]);
  await note.waitFor({ state: 'detached', timeout: 30_000 });
  await page.context().close();
  await second.stop();
});

test('the API page finds an address, asks it and shows the answer', { skip }, async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${served.url}api/docs`);
  await settled(page);
  await page.getByLabel('Find').fill('one run');
  await page.waitForURL('**/api/docs?find=one+run');
  const operation = page.locator('.api-operation', { hasText: '/api/runs/{id}' }).first();
  await operation.locator('summary').first().click();
  assert.ok(await operation.getByRole('button', { name: 'Try it' }).isDisabled());
  await operation.getByLabel('id of get /api/runs/{id}').fill(nightId(0));
  assert.match(
    await operation.locator('.command').innerText(),
    new RegExp(`^curl '.*/api/runs/${nightId(0)}'$`),
  );
  await operation.getByRole('button', { name: 'Try it' }).click();
  await operation.getByText(/^200 application\/json/).waitFor();
  assert.match(await operation.locator('.api-try pre').innerText(), new RegExp(`"id": "${nightId(0)}"`));
  assert.deepEqual(await seriousProblems(page), []);
  await page.reload();
  await settled(page);
  assert.equal(await page.getByLabel('Find').inputValue(), 'one run');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('one logs in without a script, reads, and logs out', { skip }, async () => {
  const token = 'a-token-of-some-length';
  const file = join(folder, 'token');
  writeFileSync(file, token, { mode: 0o600 });
  const guarded = await serveHome(home, ['--port', '0', '--token-file', file, '--read-only']);
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  assert.equal((await page.goto(guarded.url))?.status(), 401);
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That is not the token.').waitFor();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(guarded.url);
  assert.equal(await page.locator('#app').count(), 1);
  const state = await page.context().storageState();
  await page.context().close();
  const { page: drawn, complaints } = await openPage(browser, { storageState: state });
  await drawn.goto(guarded.url);
  await settled(drawn);
  await drawn.getByText('This server is read-only.').waitFor();
  // Nothing is offered that would be refused.
  await drawn.goto(`${guarded.url}changes`);
  await settled(drawn);
  assert.equal(await drawn.getByText(/Select changes/).count(), 0);
  assert.deepEqual(complaints, []);
  await drawn.getByRole('button', { name: 'log out' }).click();
  await drawn.getByLabel('Token').waitFor();
  await drawn.getByLabel('Token').fill(await readerToken('create', 'reader', '--scope', 'read'));
  await drawn.getByRole('button', { name: 'Open' }).click();
  await drawn.waitForURL(guarded.url);
  await settled(drawn);
  await drawn.getByRole('button', { name: 'log out' }).waitFor();
  await readerToken('revoke', 'reader');
  await drawn.locator('nav a', { hasText: 'Runs' }).click();
  await drawn
    .getByText(/has expired or was revoked/)
    .first()
    .waitFor();
  assert.equal((await drawn.reload())?.status(), 401);
  await drawn.getByLabel('Token').waitFor();
  await drawn.context().close();
  await guarded.stop();
});

async function readerToken(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['token', ...args, '--home', home]);
  assert.equal(code, 0, stderr);
  return /nm_\S+/.exec(stdout)?.[0] ?? '';
}

/** What axe finds that keeps somebody out. */
async function seriousProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
