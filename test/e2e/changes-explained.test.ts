import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { runInProcess } from '../support/in-process.ts';

/** A home that measures a program of a repository: it reports its cost times that of the night, and a little noise. */
function newHome(t: TestContext, more = '', own = '') {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-explained-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const [home, dir] = [join(base, 'home'), join(base, 'repository')];
  for (const folder of [home, dir]) fs.mkdirSync(folder);
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, ...author, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const commit = (cost: number, subject: string) => {
    fs.writeFileSync(
      join(dir, 'work.awk'),
      `BEGIN { srand(seed); printf "{\\"time\\": %f}", ${cost} * night * (1 + rand() / 500) } # ${subject}\n`,
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
    run: awk -v seed=$$ -v night="$(cat value)" -f "$NIGHTMARK_SOURCE_WORK/work.awk"
${own}    telemetry: false
    results: {format: json, value: time, unit: s, better: lower}
`,
  );
  const night = async (time: number) => {
    fs.writeFileSync(join(home, 'value'), String(time));
    const done = await runInProcess(['run', home, '--progress', 'none']);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout + done.stderr;
  };
  /** Nights of long ago are files; the newest is a real one, which knows its commit. */
  const calm = async () => {
    const data = join(home, 'results/experiments/data/count');
    fs.mkdirSync(data, { recursive: true });
    for (const [at, time] of CALM.entries())
      fs.writeFileSync(join(data, `data_01-0${at + 1}-2024-0300.json`), JSON.stringify({ time }));
    await night(1);
  };
  const list = async () =>
    JSON.parse((await runInProcess(['changes', home, '--state', 'all', '--json'])).stdout) as ChangeList;
  return { home, commit, night, calm, list };
}

const CALM = [1, 1.01, 0.99, 1.005, 0.995, 1.002, 1.008];

test('a slow commit is named beside its change, and a duet confirms it', async (t) => {
  const { home, commit, night, calm, list } = newHome(t);
  const fast = commit(1, 'Count');
  await calm();
  const slow = commit(1.5, 'Count <b>much</b> further');
  const told = await night(1);
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
  const { low = 0, high = 0 } = after?.duet?.effect ?? {};
  assert.ok(low > 1.49 && high < 1.51, `the value counts, not the time: ${JSON.stringify(after?.duet)}`);
  await night(1 / 1.5);
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
  const { home, commit, night, calm, list } = newHome(t);
  commit(1, 'Count');
  await calm();
  commit(1, 'Say the same in other words');
  await night(1.5);
  const id = (await list()).changes[0]?.id ?? '';
  const { code, stdout, stderr } = await runInProcess(['changes', 'confirm', id, '--home', home, '--json']);
  const found = JSON.parse(stdout);
  assert.equal(found.state, 'withdrawn', stdout + stderr);
  assert.equal(code, 2);
  const change = (await list()).changes.find((one) => one.id === id);
  assert.equal(change?.duet?.state, found.state);
  assert.ok(change?.withdrawnAt !== undefined);
});

test('a change without a source says why it cannot be confirmed', async (t) => {
  const { home, commit, night, calm, list } = newHome(t);
  commit(1, 'Count');
  await calm();
  await night(1.5);
  const id = (await list()).changes[0]?.id ?? '';
  const { code, stderr } = await runInProcess(['changes', 'confirm', id, '--home', home]);
  assert.equal(code, 1);
  assert.match(stderr, /BISECT_NOT_CONFIRMABLE/);
  assert.match(stderr, /no source changed between the two runs/);
});

test('with confirm in the definition the night itself asks a duet, and off is the default', async (t) => {
  const { commit, night, calm, list } = newHome(t, 'regress: {confirm: {duets: 1, minutes: 5}}');
  const fast = commit(1, 'Count');
  await calm();
  const slow = commit(1.5, 'Count much further');
  const told = await night(1);
  assert.match(told, new RegExp(`is confirmed: time of ${slow} over ${fast} is \\d`));
  const [change] = (await list()).changes;
  assert.deepEqual([change?.duet?.state, change?.isProvisional], ['confirmed', false]);
});

test('an experiment decides for itself whether its changes are confirmed', async (t) => {
  const own = newHome(t, '', '    regress: {confirm: {duets: 1}}\n');
  own.commit(1, 'Count');
  await own.calm();
  own.commit(1.5, 'Count further');
  assert.match(await own.night(1), /is confirmed: time of \w+ over \w+ is 1\.\d/);

  const none = newHome(t, 'regress: {confirm: true}', '    regress: {confirm: false}\n');
  none.commit(1, 'Count');
  await none.calm();
  none.commit(1.5, 'Count further');
  assert.doesNotMatch(await none.night(1), /confirmed/);
  assert.equal((await none.list()).changes[0]?.duet, undefined);
});
