import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeList } from '../../src/judge/app/changes/list-changes.ts';
import { runInProcess } from '../support/in-process.ts';

/** Two experiments of one repository; each commit says what both cost. Values have a little noise of their own. */
function newHome(t: TestContext, link = '') {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-commits-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const [home, dir] = [join(base, 'home'), join(base, 'engine')];
  for (const folder of [home, dir]) fs.mkdirSync(folder);
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  const commit = (cost: number, subject: string, author = 'Ada') => {
    fs.writeFileSync(join(dir, 'cost'), `${cost}\n${subject}\n`);
    git('add', '-A');
    const who = ['-c', `user.name=${author}`, '-c', 'user.email=who@example.org'];
    git(...who, 'commit', '-qm', subject);
    return git('rev-parse', 'HEAD');
  };
  const experiment = (name: string, factor: number) => `  ${name}:
    source: engine
    run: |
      awk -v night="$(cat "$HOME_DIR/night")" 'NR == 1 { printf "{\\"time\\": %f}", $1 * ${factor} * (1 + (night * 7 % 5) / 500) }' "$NIGHTMARK_SOURCE_ENGINE/cost"
    env: {HOME_DIR: ${JSON.stringify(home)}}
    telemetry: false
    results: {format: json, value: time, unit: s, better: lower}
`;
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `backups: {before: false, after: false}
sources:
  engine: {git: ${JSON.stringify(dir)}, branch: main${link}}
experiments:
${experiment('parse', 1)}${experiment('print', 3)}`,
  );
  let count = 0;
  const nights = async (many: number) => {
    for (let night = 0; night < many; night++) {
      fs.writeFileSync(join(home, 'night'), String(count++));
      const done = await runInProcess(['run', home, '--progress', 'none']);
      assert.equal(done.code, 0, done.stderr);
    }
  };
  const list = async () =>
    JSON.parse((await runInProcess(['changes', home, '--state', 'all', '--json'])).stdout) as ChangeList;
  return { home, commit, nights, list };
}

test('changes of one commit are one event with its hash, author, subject and link', async (t) => {
  const link = ', link: "https://git.example.org/engine/commit/{commit}"';
  const { home, commit, nights, list } = newHome(t, link);
  commit(1, 'Count');
  await nights(6);
  commit(1, 'Say it better', 'Bob');
  const slow = commit(1.3, 'Count <b>further</b>');
  await nights(1);
  const { changes } = await list();
  assert.deepEqual(
    changes.map(({ series }) => series.kind === 'value' && series.experiment),
    ['parse', 'print'],
  );
  for (const { sources } of changes) {
    const [range] = sources ?? [];
    assert.deepEqual([range?.source, range?.added, range?.removed], ['engine', 2, 0]);
    assert.deepEqual(
      range?.commits.map(({ subject, author }) => [subject, author]),
      [
        ['Count <b>further</b>', 'Ada'],
        ['Say it better', 'Bob'],
      ],
    );
    assert.equal(range?.commits[0]?.link, `https://git.example.org/engine/commit/${slow}`);
  }
  const { stdout } = await runInProcess(['changes', home]);
  assert.match(stdout, /^2 changes in 1 event, 2 open regressions\n/);
  const title = `  engine ${slow.slice(0, 12)} Count <b>further</b> (Ada), or 1 other since `;
  assert.ok(stdout.includes(`\n${title}`), stdout);
});
