import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { MAIN } from './binary.ts';

export const BROWSER_PATH = process.env['NIGHTMARK_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Why tests with a browser are left out, printed; false when there is one. */
export function skipWithoutBrowser(): string | false {
  if (existsSync(BROWSER_PATH)) return false;
  const why = `no browser at ${BROWSER_PATH}: "apt install chromium", or name one in NIGHTMARK_TEST_CHROMIUM`;
  console.log(`Skipped: ${why}`);
  return why;
}

export function startBrowser(): Promise<Browser> {
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath: BROWSER_PATH, args });
}

export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, exceptions, dialogs, and requests that leave the server. */
  readonly complaints: string[];
}

/** One more page of a context: what the others have fetched is not fetched again. */
export async function pageIn(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const complainOfForeign = (url: string) => {
    // A page from disk asks the disk.
    if (url.startsWith('file:') && /^(?:file|about):/.test(page.url())) return;
    if (!/^(?:https?:\/\/(?:127\.0\.0\.1|localhost)[:/]|data:|blob:)/.test(url))
      complaints.push(`asked ${url}`);
  };
  page.on('requestfinished', (request) => complainOfForeign(request.url()));
  page.on('requestfailed', (request) => {
    // What the policy of the page stops was never sent.
    if (request.failure()?.errorText !== 'csp') complainOfForeign(request.url());
  });
  return { page, complaints };
}

/** Drawn, and everything fetched. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  // The policy of the page lets nobody evaluate a text, so it is asked from here.
  for (let look = 0; (await page.locator('[aria-busy=true]').count()) > 0; look++) {
    if (look > 600) throw new Error('the page is still fetching after 30 s');
    await page.waitForTimeout(50);
  }
  // Lists that show what fits have their lines a frame after they were measured, and pages behind others draw none.
  await page.bringToFront();
  await page.evaluate(TWO_FRAMES);
}

/** Frames are late on a busy machine; the limit is for a page that draws none. */
const TWO_FRAMES = `Promise.race([
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  new Promise((done) => setTimeout(done, 5000)),
])`;

export interface ServedHome {
  readonly url: string;
  /** Ends it and waits. */
  stop(): Promise<void>;
}

const children = new Set<ChildProcess>();

/** For the end of a file: a test that failed half-way leaves its server behind. */
export async function stopServers(): Promise<void> {
  await Promise.all([...children].map(stop));
}

/** The real binary, without UDP. */
export function serveHome(home: string, args: readonly string[] = ['--port', '0']): Promise<ServedHome> {
  const child = spawn(process.execPath, [MAIN, 'serve', home, '--udp-port', '0', ...args]);
  children.add(child);
  return new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const url = /at (\S+)\n/.exec(text)?.[1];
      if (url) done({ url, stop: () => stop(child) });
    });
    child.stderr.on('data', (data) => {
      text += data;
    });
    child.on('exit', () => failed(new Error(text)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null) return done();
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}
