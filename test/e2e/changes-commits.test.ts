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
  /** Exit codes of the gate of each night. */
  const nights = async (many: number) => {
    const codes: number[] = [];
    for (let night = 0; night < many; night++) {
      fs.writeFileSync(join(home, 'night'), String(count++));
      const gated = ['run', home, '--progress', 'none', '--fail-on-regression', '--allow-unknown'];
      const done = await runInProcess(gated);
      assert.ok(done.code === 0 || done.code === 3, done.stderr);
      codes.push(done.code);
    }
    return codes;
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
  assert.deepEqual(changes.map(({ series }) => (series.kind === 'value' ? series.experiment : '')).sort(), [
    'parse',
    'print',
  ]);
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

/** A data.js with an entry for each commit; values have a little noise. */
function dataJs(costs: readonly number[], commits: readonly string[]): string {
  const entries = costs.map((cost, at) => ({
    commit: {
      id: commits[at],
      message: `Change ${at}\n\nWith a body`,
      author: { name: at % 2 === 0 ? 'Ada' : 'Bob', username: 'someone' },
      timestamp: new Date(Date.UTC(2026, 0, 1 + at)).toISOString(),
      url: `https://github.com/example/engine/commit/${commits[at]}`,
    },
    date: Date.UTC(2026, 0, 1 + at, 2),
    tool: 'customSmallerIsBetter',
    benches: [{ name: 'parse', value: cost * (1 + ((at * 7) % 5) / 500), unit: 'ms' }],
  }));
  const repoUrl = 'https://github.com/example/engine';
  return `window.BENCHMARK_DATA = ${JSON.stringify({ lastUpdate: 1, repoUrl, entries: { suite: entries } })}`;
}

const repeat = (value: number, times: number) => Array.from({ length: times }, () => value);
const hashOf = (at: number) => `${at.toString(16).padStart(4, '0')}${'a1b2c3'.repeat(6)}`;

test('an imported history: slow, fixed, slow again, each with its own commit; the gate fails', async (t) => {
  const { home, list } = newHome(t);
  const costs = [...repeat(100, 20), ...repeat(120, 5), ...repeat(100, 6), ...repeat(120, 8)];
  const commits = costs.map((_, at) => hashOf(at));
  const file = join(home, '..', 'data.js');
  const gate = async (many: number) => {
    fs.writeFileSync(file, dataJs(costs.slice(0, many), commits));
    return (await runInProcess(['import', file, '--home', home, '--fail-on-regression'])).code;
  };
  // Until the first value that is slow again, then the rest.
  assert.equal(await gate(31), 0);
  assert.equal(await gate(32), 3);
  await gate(costs.length);
  const changes = (await list()).changes.toReversed();
  assert.deepEqual(
    changes.map(({ sources, direction }) => [sources?.[0]?.commits[0], direction]),
    [20, 25, 31].map((at) => [
      {
        hash: hashOf(at).slice(0, 12),
        subject: `Change ${at}`,
        author: at % 2 === 0 ? 'Ada' : 'Bob',
        at: Date.UTC(2026, 0, 1 + at),
        link: `https://github.com/example/engine/commit/${hashOf(at)}`,
      },
      at === 25 ? 'better' : 'worse',
    ]),
  );
});

test('commits that an import names are fetched from the source of the definition', async (t) => {
  const { home, commit, list } = newHome(t);
  const commits = Array.from({ length: 24 }, (_, at) => [commit(1, `Odd ${at}`), commit(1, `Even ${at}`)]);
  const file = join(home, '..', 'data.js');
  const costs = [...repeat(100, 12), ...repeat(130, 12)];
  fs.writeFileSync(
    file,
    dataJs(
      costs,
      commits.map(([, even = '']) => even),
    ),
  );
  const done = await runInProcess(['import', file, '--home', home, '--experiment', 'parse']);
  assert.equal(done.code, 0, done.stderr);
  const [range] = (await list()).changes[0]?.sources ?? [];
  assert.deepEqual([range?.source, range?.added, range?.removed], ['engine', 2, 0]);
  assert.deepEqual(
    range?.commits.map(({ subject, author }) => [subject, author]),
    [
      ['Even 12', 'Ada'],
      ['Odd 12', 'Ada'],
    ],
  );
});

test('a revert is back at the level of the commit before, and a second try is there again', async (t) => {
  const { home, commit, nights, list } = newHome(t);
  const first = commit(1, 'Count');
  assert.deepEqual(await nights(8), repeat(0, 8));
  const slow = commit(1.3, 'Count further');
  // Found with the first value, and confirmed with the third.
  assert.deepEqual(await nights(5), [3, 0, 3, 0, 0]);
  commit(1, 'Revert "Count further"');
  assert.deepEqual(await nights(1), [0]);
  const back = (await list()).changes.filter(({ direction }) => direction === 'better');
  assert.deepEqual(
    back.map(({ returns, returnedCommit = '-', isProvisional }) => [
      returns?.kind,
      first.startsWith(returnedCommit),
      isProvisional,
    ]),
    [
      ['back', true, true],
      ['back', true, true],
    ],
  );
  const found = await runInProcess(['changes', home]);
  assert.ok(found.stdout.includes(`back to the level of ${first.slice(0, 7)}\n`), found.stdout);
  assert.deepEqual(await nights(4), repeat(0, 4));
  const again = commit(1.3, 'Count further, once more');
  assert.deepEqual(await nights(2), [3, 0]);
  const { changes } = await list();
  assert.equal(changes.length, 6);
  assert.deepEqual(
    changes
      .slice(0, 2)
      .map(({ returns, returnedCommit = '-', sources }) => [
        returns?.kind,
        slow.startsWith(returnedCommit),
        sources?.[0]?.commits.map(({ hash }) => hash),
      ]),
    [
      ['again', true, [again]],
      ['again', true, [again]],
    ],
  );
  const text = `again since ${again.slice(0, 12)}, first with ${slow.slice(0, 7)}\n`;
  assert.ok((await runInProcess(['changes', home])).stdout.includes(text));
  const shown = await runInProcess(['changes', 'show', changes[0]?.id ?? '', '--home', home]);
  assert.ok(shown.stdout.includes(`\n  ${text}`), shown.stdout);
});
