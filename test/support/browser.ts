import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import {
  type OpenPage,
  pageIn,
  type ServedHome,
  serveHome,
  skipWithoutBrowser,
  startBrowser,
} from './chromium.ts';

export { settled as drawn } from './chromium.ts';

/** Why there is no test in a browser; false where there is one. */
export const noBrowser = skipWithoutBrowser();

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const;
export const PHONE = { viewport: { width: 390, height: 844 } } as const;

/** Each size and each set of colours once: a page that is fine in both is fine in the other two. */
export const LOOKS = [
  { ...DESKTOP, colorScheme: 'light' },
  { ...PHONE, colorScheme: 'dark' },
] as const;

/** A browser and servers for one file of tests. */
export class PageTest {
  readonly #servers: ServedHome[] = [];
  readonly #contexts = new Map<string, Promise<BrowserContext>>();
  #browser: Browser | undefined;

  /** The address of a real server of the home, without a slash at its end. */
  async serve(home: string, ...options: readonly string[]): Promise<string> {
    const server = await serveHome(home, ['--port', '0', ...options]);
    this.#servers.push(server);
    return server.url.replace(/\/$/, '');
  }

  /** A page, and everything that the browser complains about on it; all share what they remember. */
  async open({ viewport, colorScheme, ...options }: BrowserContextOptions = DESKTOP): Promise<OpenPage> {
    this.#browser ??= await startBrowser();
    // Size and colours are of a page: with a context for each, every script would be fetched and compiled anew.
    const kept = JSON.stringify(options);
    const context = this.#contexts.get(kept) ?? this.#browser.newContext(options);
    this.#contexts.set(kept, context);
    const opened = await pageIn(await context);
    if (viewport) await opened.page.setViewportSize(viewport);
    await opened.page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
    return opened;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing on the page keeps somebody out: checked by axe, with every rule of WCAG A and AA. */
export async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await hurdles(page), []);
}

/** What axe finds. */
export async function hurdles(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe());
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
  return (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
       violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  )) as string[];
}

/** Nothing is wider than the window. */
export async function assertFits(page: Page): Promise<void> {
  const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  const [width, view] = sizes as [number, number];
  assert.ok(width <= view, `the page is ${width} wide in a window of ${view}`);
}
