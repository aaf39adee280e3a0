import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout, runFiles } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { triageChanges } from '../../src/judge/app/changes/triage-changes.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { PAGE_ROUTES } from '../../src/platform/core/site/page-routes.ts';
import { LAST_NIGHT, makeSampleHome, nightId } from '../sample-home.ts';
import { drawn, noBrowser, PageTest } from '../support/browser.ts';
import { jobId, jobSpec } from '../support/job-specs.ts';

/** Without a slash, as a name of an experiment, a file or a job; the other for texts. */
const NAME = `"><img src=x onerror="pwned=1" onload='pwned=1'>{{7*7}}\${pwned=1}`;
const EVIL = `</script></style><script>globalThis.pwned=1;alert(1)</script>${NAME}<a href="javascript:pwned=1">x</a>`;

const skip = noBrowser;
const folder = mkdtempSync(join(tmpdir(), 'nightmark-hostile-'));
const home = join(folder, 'home');
const pages = new PageTest();
let address = '';
let changeId = 'nothing';

before(async () => {
  if (skip) return;
  await makeHostileHome();
  address = await pages.serve(home);
  const query = (q: string) => fetch(`${address}/query?${new URLSearchParams({ q })}`, { method: 'POST' });
  await query('CREATE DATABASE "<b>bold<"');
  const line = `${NAME.replace(/[ ,=]/g, '\\$&')},tag=${NAME.replace(/[ ,=]/g, '\\$&')} value=1,text="${EVIL.replaceAll('"', '\\"')}"`;
  const written = await fetch(`${address}/write?${new URLSearchParams({ db: '<b>bold<' })}`, {
    ...{ method: 'POST', body: `${line}\n${EVIL}\n` },
  });
  assert.equal(written.status, 400);
});
after(async () => {
  await pages.close();
  rmSync(folder, { recursive: true });
});

async function makeHostileHome(): Promise<void> {
  await makeSampleHome(home, 6);
  const layout = homeLayout(home);
  const store = await openSqliteStore(layout.index);
  const run = await store.run(nightId(0));
  const [like] = await store.trialsOf([nightId(0)]);
  const [stage] = await store.stagesOf(nightId(0));
  const [change] = await store.changes({ limit: 1 });
  assert.ok(run && like && stage);
  await store.saveRun({ ...run, project: EVIL, label: EVIL, warnings: [EVIL] });
  await store.saveMachine({ id: 'f00d', name: EVIL, facts: { cpu: EVIL, [EVIL]: EVIL } });
  const trial = { ...like, task: NAME, title: EVIL, message: EVIL, state: 'failed' } as const;
  await store.saveTrials([{ ...trial, failedStage: 'run', commits: { [EVIL]: EVIL } }]);
  await store.saveStages(nightId(0), [{ ...stage, task: NAME, success: false, message: EVIL }]);
  const value = { experiment: NAME, path: [EVIL, NAME], value: 1, unit: EVIL, better: 'lower' } as const;
  await store.saveValues({ runId: nightId(0), task: NAME, at: LAST_NIGHT, values: [value] });
  if (change) {
    changeId = change.id;
    const said = { home, ids: [change.id], state: 'confirmed', note: EVIL, author: EVIL } as const;
    await triageChanges(said, { disk: localDisk, store, clock: { now: () => LAST_NIGHT } });
    await store.saveChanges([{ ...change, explanation: EVIL }]);
  }
  store.close();
  const files: Record<string, string> = {
    [join(layout.summary(NAME), 'summary.json')]: JSON.stringify({ title: EVIL, value: EVIL }),
    [join(layout.graph(NAME), `${NAME}.svg`)]:
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="pwned=1"><script>pwned=1;alert(1)</script><image href="http://evil.example/x.png"/></svg>`,
    [join(layout.data(NAME), `${NAME}.json`)]: JSON.stringify({ [EVIL]: EVIL }),
    [runFiles(home, nightId(0)).log('experiment', 'broken', 'run')]: `${EVIL}\n\u001b]0;x\u0007${EVIL}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  const queue = await openSqliteQueue({ place: layout.jobs, now: () => LAST_NIGHT });
  const names = { user: NAME, project: NAME, experiment: NAME, name: NAME };
  await queue.submit([jobSpec(1, { ...names, overrides: { [NAME]: EVIL } })]);
  await queue.annotate(jobId(1), 'description', EVIL);
  await queue.close();
}

/** Every page, with hostile values where its address takes any. */
function places(): readonly string[] {
  const ids: Readonly<Record<string, string>> = { jobs: jobId(1), changes: changeId, machines: 'f00d' };
  const filled = PAGE_ROUTES.map((route) => {
    const id = ids[route.split('/')[1] ?? ''] ?? nightId(0);
    return route
      .replace(':name', encodeURIComponent(NAME))
      .replace(':id', id)
      .replace(':pair*', `${nightId(1)}..${nightId(0)}`)
      .replace(':kind', 'experiment')
      .replace(':task', 'broken')
      .replace(':stage', 'run');
  });
  const evil = encodeURIComponent(EVIL);
  return filled.map((place) => `${place}?find=${evil}&zoom=${evil}&q=${evil}&sort=${evil}`);
}

test('a hostile home executes nothing, wherever one looks', { skip }, async () => {
  const { page, complaints } = await pages.open();
  for (const place of places()) {
    await page.goto(`${address}${place}`);
    await drawn(page).catch((error: Error) => assert.fail(`${place}: ${error.message}`));
    assert.equal(await page.evaluate('typeof pwned'), 'undefined', place);
    assert.equal(
      await page.locator('main script, main [onerror], main [onload], main a[href^="javascript"]').count(),
      0,
      place,
    );
    assert.deepEqual(
      complaints.splice(0).filter((one) => !/status of 40[04]/.test(one)),
      [],
      place,
    );
  }
  await page.close();
});

test('hostile names and texts are seen as what they are', { skip }, async () => {
  const { page } = await pages.open();
  await page.goto(address);
  await drawn(page);
  assert.ok((await page.locator('main').innerText()).includes('<img src=x onerror='));
  await page.close();
});

test('files of experiments have no rights, however they are opened', { skip }, async () => {
  const { page, complaints } = await pages.open();
  const name = encodeURIComponent(NAME);
  const response = await page.goto(`${address}/files/graph/${name}/${name}.svg`);
  assert.equal(response?.status(), 200);
  assert.match(response?.headers()['content-security-policy'] ?? '', /sandbox$/);
  assert.equal(await page.evaluate('globalThis.pwned === undefined'), true);
  assert.deepEqual(
    complaints.filter((one) => !/Content Security Policy|sandboxed|Blocked script/.test(one)),
    [],
  );
  await page.close();
});

test('no request leaves the folder of results', {
  skip,
}, async () => {
  for (const path of [
    'files/graph/sort/%2e%2e%2f%2e%2e%2f%2e%2e%2fnightmark.yml',
    'files/data/..%2f..%2f..%2fnightmark.yml',
    'files/graph/sort/passwd.png',
    'files/graph/sort/etc%2fpasswd',
    'files/data/sort/%00',
    `api/jobs/${jobId(1)}/files/..%2f..%2f..%2fnightmark.yml`,
    `file/${jobId(1)}/..%2f..%2fx`,
  ]) {
    const response = await fetch(`${address}/${path}`);
    assert.equal(response.status, 404, path);
    assert.ok(!(await response.text()).includes('project: sample'), path);
  }
});
