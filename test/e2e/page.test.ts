import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeSampleHome, nightId } from '../sample-home.ts';
import { assertAccessible, DESKTOP, drawn, noBrowser, PageTest } from '../support/browser.ts';
import { serveHome, stopServers } from '../support/chromium.ts';
import { runInProcess } from '../support/in-process.ts';
import { freePort } from '../support/real-server.ts';

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-page-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';

before(async () => {
  if (skip) return;
  await makeSampleHome(home, 40);
  address = await pages.serve(home);
});
after(async () => {
  await pages.close();
  await stopServers();
  rmSync(folder, { recursive: true });
});

test('links change the page without loading it, and back leads back', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(address);
  await drawn(page);
  await page.evaluate('globalThis.isTheSame = true');
  await page.locator('nav a', { hasText: 'Runs' }).click();
  await page.waitForURL('**/runs');
  assert.equal(await page.evaluate('globalThis.isTheSame'), true);
  await page.goBack();
  await page.waitForURL(`${address}/`);
  await drawn(page);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('dark is dark, light is light', { skip }, async () => {
  for (const [colorScheme, background] of [
    ['dark', 'rgb(20, 23, 26)'],
    ['light', 'rgb(255, 255, 255)'],
  ] as const) {
    const { page } = await pages.open({ ...DESKTOP, colorScheme });
    await page.goto(address);
    await drawn(page);
    const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(color, background);
    await page.close();
  }
});

test('an open page shows a night that comes in', { skip }, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const other = await serveHome(empty);
  const { page, complaints } = await pages.open();
  await page.goto(other.url);
  await drawn(page);
  assert.equal(await page.getByText('sort', { exact: true }).count(), 0);
  await makeSampleHome(empty, 1);
  await page.getByText('sort', { exact: true }).first().waitFor({ timeout: 30_000 });
  await page.getByText('This is the first night: changes are reported from the 4th night').waitFor();
  assert.equal(await page.locator('th', { hasText: /^1 night$/ }).count(), 1);
  assert.deepEqual(complaints, []);
  await page.close();
  await other.stop();
});

test('while the server is away the page says so, and goes on when it is back', { skip }, async () => {
  const moving = join(folder, 'moving');
  await makeSampleHome(moving, 1);
  const port = String(await freePort());
  const first = await serveHome(moving, ['--port', port]);
  const { page } = await pages.open();
  await page.goto(first.url);
  await drawn(page);
  const note = page.getByText('The server does not answer');
  await first.stop();
  await note.waitFor({ timeout: 30_000 });
  assert.ok((await page.getByText('sort', { exact: true }).count()) > 0);
  const second = await serveHome(moving, ['--port', port]);
  await note.waitFor({ state: 'detached', timeout: 30_000 });
  await page.close();
  await second.stop();
});

test('the API page finds an address, asks it and shows the answer', { skip }, async () => {
  const { page, complaints } = await pages.open();
  await page.goto(`${address}/api/docs`);
  await drawn(page);
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
  await assertAccessible(page);
  await page.reload();
  await drawn(page);
  assert.equal(await page.getByLabel('Find').inputValue(), 'one run');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('one logs in without a script, reads, and logs out', { skip }, async () => {
  const token = 'a-token-of-some-length';
  const file = join(folder, 'token');
  writeFileSync(file, token, { mode: 0o600 });
  const guarded = await serveHome(home, ['--port', '0', '--token-file', file, '--read-only']);
  const { page } = await pages.open({ javaScriptEnabled: false });
  assert.equal((await page.goto(guarded.url))?.status(), 401);
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That is not the token.').waitFor();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(guarded.url);
  assert.equal(await page.locator('#app').count(), 1);
  const state = await page.context().storageState();
  await page.close();
  const { page: reader, complaints } = await pages.open({ storageState: state });
  await reader.goto(guarded.url);
  await drawn(reader);
  await reader.getByText('This server is read-only.').waitFor();
  // Nothing is offered that would be refused.
  await reader.goto(`${guarded.url}changes`);
  await drawn(reader);
  assert.equal(await reader.getByText(/Select changes/).count(), 0);
  assert.deepEqual(complaints, []);
  await reader.getByRole('button', { name: 'log out' }).click();
  await reader.getByLabel('Token').waitFor();
  await reader.getByLabel('Token').fill(await readerToken('create', 'reader', '--scope', 'read'));
  await reader.getByRole('button', { name: 'Open' }).click();
  await reader.waitForURL(guarded.url);
  await drawn(reader);
  await reader.getByRole('button', { name: 'log out' }).waitFor();
  await readerToken('revoke', 'reader');
  await reader.locator('nav a', { hasText: 'Runs' }).click();
  await reader
    .getByText(/has expired or was revoked/)
    .first()
    .waitFor();
  assert.equal((await reader.reload())?.status(), 401);
  await reader.getByLabel('Token').waitFor();
  await reader.close();
  await guarded.stop();
});

async function readerToken(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['token', ...args, '--home', home]);
  assert.equal(code, 0, stderr);
  return /nm_\S+/.exec(stdout)?.[0] ?? '';
}
