// Takes a picture of a page, for the README and for looking at it.
// Usage: node scripts/screenshot.mjs URL FILE [--dark] [--phone] [--whole]
// The browser is /usr/bin/chromium; NIGHTMARK_TEST_CHROMIUM names another one.
import { chromium } from 'playwright-core';

const [url, file, ...flags] = process.argv.slice(2);
if (url === undefined || file === undefined) {
  throw new Error('Usage: node scripts/screenshot.mjs URL FILE [--dark] [--phone] [--whole]');
}
const browser = await chromium.launch({
  executablePath: process.env.NIGHTMARK_TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const page = await browser.newPage({
    viewport: flags.includes('--phone') ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    colorScheme: flags.includes('--dark') ? 'dark' : 'light',
  });
  await page.goto(url);
  // Drawn by a script: wait until nothing is being fetched, and a moment for charts.
  await page.waitForFunction(
    () => document.querySelector('main') && !document.querySelector('[aria-busy=true]'),
  );
  await page.waitForTimeout(300);
  await page.screenshot({ path: file, fullPage: flags.includes('--whole') });
} finally {
  await browser.close();
}
