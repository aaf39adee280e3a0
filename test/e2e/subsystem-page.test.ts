import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { assertAccessible, noBrowser, PageTest } from '../support/browser.ts';
import { SubsystemHome } from '../support/subsystem-home.ts';

const pages = new PageTest();
const home = new SubsystemHome();
after(async () => {
  await pages.close();
  home.dispose();
});

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('the website opened from disk: counts down, shows pictures, numbers and failures, and executes nothing', {
  skip: noBrowser,
}, async () => {
  home.experiment('alpha', [{ cpu: { A: 1.5 } }, { cpu: { A: 3 } }], { title: `Alpha ${HOSTILE}` });
  home.experiment("odd 'name' #1", [{ [HOSTILE]: 2 }]);
  home.experiment('broken', []);
  home.write('results/experiments/status/broken/run.json', { success: false, message: `no net ${HOSTILE}` });
  for (const path of ['alpha/top.png', 'alpha/all_time/a b#1.png', "odd 'name' #1/photo.jpg"]) {
    home.write(`results/experiments/graph/${path}`, '');
    fs.writeFileSync(join(home.dir, 'results/experiments/graph', path), PIXEL);
  }
  const graphs = join(home.dir, 'results/experiments/graph/alpha');
  fs.symlinkSync('/etc/passwd', join(graphs, 'secret.png'));
  fs.symlinkSync('top.png', join(graphs, 'zoomed.png'));
  const deadlines = {
    'My paper': { date: '2999-01-01 00:00:00' },
    [HOSTILE]: { date: '2020-01-01 00:00:00' },
  };
  home.subsystem('deadline', { active: false, deadlines });
  home.write('results/subsystem/status/deadline/precheck.json', { success: true, message: 'Inactive' });
  home.subsystem('website');
  const ran = await home.run(['website']);
  assert.equal(ran.code, 0, ran.stderr);

  const site = join(home.dir, 'results/subsystem/output/website');
  assert.deepEqual(fs.readdirSync(join(site, 'graph/alpha')), ['all_time', 'top.png', 'zoomed.png']);
  assert.deepEqual(fs.readFileSync(join(site, 'graph/alpha/zoomed.png')), PIXEL);
  assert.ok(!fs.lstatSync(join(site, 'graph/alpha/zoomed.png')).isSymbolicLink());

  const { page, complaints } = await pages.open();
  await page.goto(pathToFileURL(join(site, 'index.html')).href);
  await page.locator('#My-paper', { hasText: /^\d+ days$/ }).waitFor();
  assert.equal(await page.locator('[data-deadline]').nth(1).textContent(), 'passed');
  assert.equal(await page.locator('img').count(), 4);
  for (const image of await page.locator('img').all()) {
    await image.scrollIntoViewIfNeeded();
    let width = 0;
    for (let look = 0; look < 100 && width === 0; look++) {
      width = await image.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth);
      if (width === 0) await page.waitForTimeout(20);
    }
    assert.equal(width, 1, (await image.getAttribute('src')) ?? '');
  }
  assert.match(
    await page.locator('.failed + td + td + td').innerText(),
    /^Failed at stage run: no net "><img/,
  );
  assert.match(await page.locator('section').nth(0).innerText(), /cpu, A\s+3\s+1\.5\s+\+100\.0 %/);
  await page.getByRole('link', { name: 'all data (JSON)' }).nth(1).click();
  assert.match(await page.locator('body').innerText(), /"timestamp": "01-05-2026-0307"/);
  await page.goBack();
  assert.deepEqual(complaints, []);
  await assertAccessible(page); // which fetches the style once more, against the policy of the page
});
