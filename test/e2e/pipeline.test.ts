import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readStatus, type SiteStatus } from '../../src/publish/core/site/site-map.ts';
import { runBinary } from '../support/binary.ts';
import { drawn, noBrowser, PageTest } from '../support/browser.ts';
import { type NoticeReceiver, startReceiver } from '../support/notice-receiver.ts';

/** examples/pipeline over three nights: a good one, one with a regression, one that breaks; then somebody mends it. */
const folder = mkdtempSync(join(tmpdir(), 'nightmark-pipeline-'));
const home = join(folder, 'my home');
const browser = new PageTest();
let receiver: NoticeReceiver;

before(async () => {
  receiver = await startReceiver();
  cpSync(join(process.cwd(), 'examples/pipeline'), home, {
    recursive: true,
    filter: (path) => !/\/(\.nightmark|results|code\.git|site\.git)$/.test(path),
  });
  inHome('./prepare.sh');
});
after(async () => {
  await browser.close();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

function inHome(program: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync(program, args, { cwd: home, encoding: 'utf8', env }).trim();
}

const commit = (subject: string, file: string) => inHome('./commit.sh', subject, file);
const nightmark = (command: string, ...args: string[]) =>
  runBinary([command, home, ...args], { PIPELINE_HOOK: `${receiver.url}/hook` });

/** What was told since the last time, as "event state". */
function told(): string[] {
  const messages = receiver.got.splice(0);
  return messages.map(({ json }) => `${json.event} ${json.state}`).sort();
}

let checkouts = 0;

/** What the branch of the site holds, as somebody who clones it has it. */
function siteFolder(): string {
  const place = join(folder, `site-${checkouts++}`);
  execFileSync('git', ['clone', '--quiet', '--branch', 'pages', join(home, 'site.git'), place]);
  return place;
}

function statusOf(site: string): SiteStatus {
  const status = readStatus(readFileSync(join(site, 'status.js'), 'utf8'));
  assert.ok(status);
  return status;
}

async function textOf(site: string, route: string): Promise<string> {
  const { page, complaints } = await browser.open();
  await page.goto(`${pathToFileURL(join(site, 'index.html'))}${route}`);
  await drawn(page);
  await page.locator('.site-note').waitFor();
  const text = await page.locator('body').innerText();
  assert.deepEqual(complaints, []);
  return text.replaceAll(/\s+/g, ' ');
}

test('a good night: fetched, built, measured, published, reported; without a new commit there is none', async () => {
  const night = await nightmark('schedule', '--once');
  assert.equal(night.code, 0, night.stderr);
  assert.match(night.stderr, /the night begins, new in code \(main\)\./);
  assert.deepEqual(told(), ['night-finished finished']);
  const site = siteFolder();
  assert.equal(statusOf(site).outcome.state, 'fine');
  assert.equal(statusOf(site).project, 'pipeline-example');

  const again = await nightmark('schedule', '--once');
  assert.equal(again.code, 0, again.stderr);
  assert.match(
    again.stdout,
    /^No night is due\. The next one: .* 02:00 UTC, .*, or with the next new commit\.\n$/,
  );
  assert.deepEqual(told(), []);
});

test('a night with a regression names the commit, on the site and to people', async () => {
  inHome(process.execPath, 'earlier-nights.mjs');
  assert.equal((await nightmark('reindex')).code, 0);
  const earlier = inHome('git', '-C', 'code.git', 'rev-parse', '--short', 'main');
  const slower = commit('Look twice', 'later/slower.mjs');
  const night = await nightmark('schedule', '--once');
  assert.equal(night.code, 3, night.stderr);
  assert.match(night.stderr, /the night ended: something became slower\./);
  const messages = receiver.got.map(({ json }) => json);
  // Both series changed with one commit: one message.
  const [message = assert.fail()] = messages.filter(({ event }) => event === 'digest');
  assert.match(
    String(message.title),
    new RegExp(`^2 regressions: code ${slower}[0-9a-f]* Look twice \\(Ada\\)$`),
  );
  assert.match(
    JSON.stringify(message),
    /sorting\/rising \+178 % \(\+178 to \+178\).*sorting\/random \+104 % \(\+104 to \+104\)/,
  );
  assert.deepEqual(told(), ['digest digest', 'night-finished finished']);

  const site = siteFolder();
  assert.equal(execFileSync('git', ['-C', site, 'rev-list', '--count', 'HEAD'], { encoding: 'utf8' }), '1\n');
  if (noBrowser) return;
  const overview = await textOf(site, '');
  assert.match(overview, /A copy of pipeline-example, published .* ago/);
  assert.match(overview, /2 open regressions/);
  assert.match(overview, new RegExp(`1 commit of code between ${earlier} and ${slower}`));
  assert.match(overview, /random 8.040 ▲ \+104 % worse/);
  assert.doesNotMatch(overview, /Nothing newer is shown/);
  const experiment = await textOf(site, '#/experiments/sorting');
  assert.match(experiment, new RegExp(`\\+178 % worse since ${slower},`));
});

test('a night that breaks leaves the site, which says so', async () => {
  const before = siteFolder();
  commit('Hurry', 'later/broken.txt');
  const night = await nightmark('schedule', '--once');
  assert.equal(night.code, 4, night.stderr);
  assert.match(night.stderr, /the night ended: some experiments failed\./);
  assert.deepEqual(told(), ['failed failed', 'night-broken broken']);
  const site = siteFolder();
  const { outcome, publishedAt } = statusOf(site);
  assert.equal(outcome.state, 'broken');
  assert.equal(publishedAt, statusOf(before).publishedAt);
  assert.equal(readFileSync(join(site, 'site.js'), 'utf8'), readFileSync(join(before, 'site.js'), 'utf8'));
  // Known to be broken: it is not measured every ten minutes.
  assert.match((await nightmark('schedule', '--once')).stdout, /^No night is due/);
  if (noBrowser) return;
  const overview = await textOf(site, '');
  assert.match(overview, /Nothing newer is shown: No experiment of the night [\d-]+ succeeded\./);
  assert.match(overview, /random 8.040 ▲ \+104 % worse/);
});

test('a site that cannot be reached fails no night, is reported, and has everything the next time', async () => {
  commit('Sort by merging again', 'code/sort.mjs');
  renameSync(join(home, 'site.git'), join(home, 'away.git'));
  const file = join(home, 'nightmark.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('on: every night', '$&\n    tries: 2'));
  const night = await nightmark('run');
  assert.equal(night.code, 0, night.stderr);
  assert.match(
    night.stderr,
    /published again in 1 second\.\nThe pages were not published to git:site\.git#pages, tried 2 times: .*"nightmark publish" tries again\./,
  );
  const status = await nightmark('status');
  assert.match(
    status.stdout,
    /\nPublishing the pages to git:site\.git#pages has failed since .* UTC after 2 tries: /,
  );
  const news = told();
  assert.ok(news.includes('publication failed'), news.join(', '));
  assert.ok(news.includes('failed recovered'), news.join(', '));

  renameSync(join(home, 'away.git'), join(home, 'site.git'));
  assert.equal(statusOf(siteFolder()).outcome.state, 'broken');
  // Without a new commit everything is skipped: such a night is not broken, and publishes what waits.
  const skipped = await nightmark('run', '--json');
  assert.equal(skipped.code, 0, skipped.stderr);
  const { trials } = JSON.parse(skipped.stdout) as { trials: { state: string; message: string }[] };
  assert.deepEqual(
    trials.map(({ state }) => state),
    ['skipped'],
  );
  assert.match(trials[0]?.message ?? '', /^Nothing new since [0-9a-f]+$/);
  assert.ok(told().includes('publication recovered'));
  assert.match((await nightmark('status')).stdout, /\nPublished to git:site\.git#pages .* UTC\.\n/);
  const { outcome, dataAt, attemptedAt } = statusOf(siteFolder());
  assert.equal(outcome.state, 'fine');
  assert.ok(dataAt !== undefined && dataAt < attemptedAt);
  if (!noBrowser) assert.match(await textOf(siteFolder(), ''), /random 3.943/);

  const byHand = await nightmark('publish');
  assert.equal(byHand.code, 0, byHand.stderr);
  assert.match(byHand.stdout, /^Nothing changed: only the status written, .* git:site\.git#pages\n$/);
});
