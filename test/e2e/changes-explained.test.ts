import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/app/changes/list-changes.ts';
import { runInProcess } from '../support/in-process.ts';

/** A home that measures a loop of a repository. What it reports is written by the test; a duet measures the loop itself. */
function newHome(t: TestContext, more = '') {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-explained-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const [home, dir] = [join(base, 'home'), join(base, 'repository')];
  for (const folder of [home, dir]) fs.mkdirSync(folder);
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const commit = (rounds: number, subject: string) => {
    fs.writeFileSync(
      join(dir, 'work.awk'),
      `BEGIN { for (i = 0; i < ${rounds}; i++) sum += i } # ${subject}\n`,
    );
    git('add', '-A');
    git('commit', '-qm', subject);
    return git('rev-parse', '--short', 'HEAD');
  };
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}
${more}
sources:
  work: {git: ${JSON.stringify(dir)}, branch: main}
experiments:
  count:
    source: work
    run: awk -f "$NIGHTMARK_SOURCE_WORK/work.awk"; cat value
    telemetry: false
    results: {format: json, value: time, unit: s, better: lower}
`,
  );
  const night = async (time: number) => {
    fs.writeFileSync(join(home, 'value'), JSON.stringify({ time }));
    const done = await runInProcess(['run', home, '--progress', 'none']);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout + done.stderr;
  };
  const list = async () =>
    JSON.parse((await runInProcess(['changes', home, '--state', 'all', '--json'])).stdout) as ChangeList;
  return { home, commit, night, list };
}

const CALM = [1, 1.01, 0.99, 1.005, 0.995, 1.002, 1.008, 0.992];

test('a slow commit is named beside its change, and a duet confirms it', async (t) => {
  const { home, commit, night, list } = newHome(t);
  const fast = commit(200_000, 'Count');
  for (const time of CALM) await night(time);
  const slow = commit(1_200_000, 'Count <b>much</b> further');
  const told = await night(1.5);
  assert.match(told, /worse, provisional\n {4}.*commit.* of work/);
  const [change] = (await list()).changes;
  assert.match(change?.explanation ?? '', new RegExp(slow.slice(0, 7)));
  const id = change?.id ?? '';
  const shown = await runInProcess(['changes', 'show', id, '--home', home]);
  assert.match(shown.stdout, /\nExplanation\n {2}.*work/);
  assert.match(shown.stdout, /Ada {2}Count <b>much<\/b> further\n/);
  const json = JSON.parse((await runInProcess(['changes', 'show', id, '--home', home, '--json'])).stdout);
  assert.deepEqual([json.explanation.sources[0].before, json.explanation.sources[0].after], [fast, slow]);

  const { code, stdout, stderr } = await runInProcess(['changes', 'confirm', id, '--home', home, '-q']);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, new RegExp(`^${id} is confirmed: time of ${slow} over ${fast} is \\d`));
  const after = (await list()).changes[0];
  assert.deepEqual(
    [after?.isProvisional, after?.duet?.state, after?.duet?.before, after?.duet?.after],
    [false, 'confirmed', fast, slow],
  );
  assert.ok((after?.duet?.effect?.low ?? 0) > 1.05, JSON.stringify(after?.duet));
  await night(1);
  const kept = (await list()).changes.find((one) => one.id === id);
  assert.deepEqual(
    [kept?.isProvisional, kept?.withdrawnAt],
    [false, undefined],
    'a calm night does not undo it',
  );
  const again = await runInProcess(['changes', 'show', id, '--home', home]);
  assert.match(again.stdout, /confirmed by a duet of work \w+ and \w+: \d+ pairs, time x \d/);
});

test('a commit that changes nothing is not blamed: the duet takes the change back', async (t) => {
  const { home, commit, night, list } = newHome(t);
  commit(400_000, 'Count');
  for (const time of CALM) await night(time);
  commit(400_000, 'Say the same in other words');
  await night(1.5);
  const id = (await list()).changes[0]?.id ?? '';
  const { code, stdout, stderr } = await runInProcess(['changes', 'confirm', id, '--home', home, '--json']);
  const found = JSON.parse(stdout);
  if (found.state === 'confirmed')
    return t.skip(`the machine is too busy for a duet (${stdout.slice(0, 200)}); run it alone`);
  // With other work beside it even a duet of 192 pairs may not be sure that both are the same within 1 %.
  assert.ok(['withdrawn', 'unclear'].includes(found.state), stdout + stderr);
  assert.equal(code, 2);
  const change = (await list()).changes.find((one) => one.id === id);
  assert.equal(change?.duet?.state, found.state);
  assert.equal(change?.withdrawnAt !== undefined, found.state === 'withdrawn');
});

test('a change without a source says why it cannot be confirmed', async (t) => {
  const { home, commit, night, list } = newHome(t);
  commit(1000, 'Count');
  for (const time of CALM) await night(time);
  await night(1.5);
  const id = (await list()).changes[0]?.id ?? '';
  const { code, stderr } = await runInProcess(['changes', 'confirm', id, '--home', home]);
  assert.equal(code, 1);
  assert.match(stderr, /BISECT_NOT_CONFIRMABLE/);
  assert.match(stderr, /no source changed between the two runs/);
});

test('with confirm in the definition the night itself asks a duet, and off is the default', async (t) => {
  const { commit, night, list } = newHome(t, 'regress: {confirm: {duets: 1, minutes: 5}}');
  const fast = commit(200_000, 'Count');
  for (const time of CALM) await night(time);
  const slow = commit(1_600_000, 'Count much further');
  const told = await night(1.5);
  assert.match(told, new RegExp(`is confirmed: time of ${slow} over ${fast} is \\d`));
  const [change] = (await list()).changes;
  assert.deepEqual([change?.duet?.state, change?.isProvisional], ['confirmed', false]);
});
