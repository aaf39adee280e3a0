import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartPage } from '../../src/charts/core/chart-page.ts';
import { noBrowser, PageTest } from '../support/browser.ts';

test('a figure opened from disk reads out values, hides series and knows dark', {
  skip: noBrowser,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-chart-'));
  const file = join(folder, 'figure.html');
  const series = ['m1', 'm2'].map((name, index) => ({
    name,
    x: [1, 2, 3],
    y: [1, 2, 3].map((y) => y * (index + 1)),
  }));
  writeFileSync(
    file,
    chartPage({
      type: 'lines',
      title: 'Latency',
      x: { label: 'users' },
      y: { label: 'latency', unit: 's' },
      series,
    }),
  );
  const pages = new PageTest();
  try {
    const look = { colorScheme: 'dark', viewport: { width: 1100, height: 700 } } as const;
    const { page, complaints } = await pages.open(look);
    await page.goto(`file://${file}`);
    const ground = await page.evaluate("getComputedStyle(document.querySelector('svg > rect')).fill");
    assert.equal(ground, 'rgb(20, 24, 31)');
    await page.focus('svg.nm-chart');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.textContent('#nm-tip'), 'm1\n1: 1.00\u202fs');
    await page.click('[data-toggle="0"]');
    assert.equal(await page.locator('[data-series="0"]').isVisible(), false);
    assert.equal(await page.locator('[data-series="1"]').isVisible(), true);
    assert.equal(await page.getAttribute('[data-toggle="0"]', 'aria-pressed'), 'false');
    await page.focus('svg.nm-chart');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.textContent('#nm-tip'), 'm2\n1: 2.00\u202fs');
    const box = (await page.locator('[data-series="1"] path').nth(2).boundingBox()) ?? assert.fail();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await page.textContent('#nm-tip'), 'm2\n2: 4.00\u202fs');
    assert.deepEqual(complaints, []);
  } finally {
    await pages.close();
    rmSync(folder, { recursive: true });
  }
});
