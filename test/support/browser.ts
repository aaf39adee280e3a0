import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const executablePath = process.env['NIGHTMARK_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Why there is no test in a browser; false where there is one. */
export const noBrowser = existsSync(executablePath)
  ? false
  : `no browser at ${executablePath}: "apt install chromium", or name one in NIGHTMARK_TEST_CHROMIUM`;
if (noBrowser) console.log(`Skipped: ${noBrowser}`);

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

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const;
export const PHONE = { viewport: { width: 390, height: 844 } } as const;

/** A browser and servers for one file of tests. */
export class PageTest {
  readonly #servers: ChildProcess[] = [];
  #browser: Browser | undefined;

  /** The address of a real server of the home. */
  async serve(home: string, ...options: readonly string[]): Promise<string> {
    const args = ['dist/src/cli/main.js', 'serve', home, '--port', '0', '--udp-port', '0', ...options];
    const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#servers.push(server);
    let told = '';
    server.stderr?.on('data', (text) => {
      told += text;
    });
    return new Promise((done, fail) => {
      let text = '';
      server.stdout?.on('data', (piece) => {
        text += piece;
        const found = /at (http:\S+?)\/?\n/.exec(text)?.[1];
        if (found) done(found);
      });
      server.on('exit', (code) => fail(new Error(`The server ended with ${code}: ${told}`)));
    });
  }

  /** A page of its own, and everything that the browser complains about on it. */
  async open(options: BrowserContextOptions = DESKTOP): Promise<{ page: Page; complaints: string[] }> {
    this.#browser ??= await chromium.launch({ executablePath, args: ARGUMENTS });
    const context = await this.#browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return { page, complaints };
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    for (const server of this.#servers) server.kill('SIGTERM');
  }
}

/** Until everything that the page fetches is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main').waitFor();
  // The policy of the page lets nobody evaluate a text, so the page is asked from here.
  for (let look = 0; (await page.locator('[aria-busy=true]').count()) > 0; look++) {
    assert.ok(look < 600, 'the page is still fetching after 30 s');
    await page.waitForTimeout(50);
  }
}

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing on the page keeps somebody out: checked by axe, with every rule of WCAG A and AA. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe());
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) =>
       violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  )) as string[];
  assert.deepEqual(found, []);
}

/** Nothing is wider than the window. */
export async function assertFits(page: Page): Promise<void> {
  const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  const [width, view] = sizes as [number, number];
  assert.ok(width <= view, `the page is ${width} wide in a window of ${view}`);
}
