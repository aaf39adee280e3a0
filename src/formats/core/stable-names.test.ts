import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stableName, stableSamples, stableValues } from './stable-names.ts';

const COMMIT = '89abcdef0123456789abcdef0123456789abcdef';
const checkout = (commit: string) => `/home/me/bench/.nightmark/cache/sources/code/${commit}-fd5af8c8`;

test('the checkout of a source is the name of the source', () => {
  const of = (name: string) => stableName(name, {});
  assert.equal(of(`${checkout(COMMIT)}/bench -n 3`), 'code/bench -n 3');
  assert.equal(of(`LD=${checkout(COMMIT)}/lib '${checkout(COMMIT)}/a b'`), "LD=code/lib 'code/a b'");
  assert.equal(of(checkout(COMMIT)), 'code');
  assert.equal(of(`${checkout(COMMIT)}x/bench`), `${checkout(COMMIT)}x/bench`, 'another folder');
});

test('temporary folders have one name, others keep theirs', () => {
  const of = (name: string) => stableName(name, {});
  assert.equal(of('cat /tmp/tmp.AbCdEf0123/in'), 'cat {tmp}/in');
  assert.equal(of('cat /tmp/tmpab3d_9xz/in > /var/tmp/tmpab3d_9xz/out'), 'cat {tmp}/in > {tmp}/out');
  assert.equal(of('/var/folders/zz/zyx_1/T/run/x'), '{tmp}/run/x');
  for (const name of ['/tmp/build-1/x', '/tmp/tmpfiles', '/srv/tmp/tmp.AbCdEf0123/in', 'tmp/tmp.AbCdEf0123'])
    assert.equal(of(name), name);
});

test('hashes are replaced where they are commits of the run, and only there', () => {
  const commits = { code: '89abcdef0123', lib: 'fedcba987654-dirty' };
  const of = (name: string) => stableName(name, { commits });
  assert.equal(of('bench@89abcde'), 'bench@{code}');
  assert.equal(of(`out/${COMMIT}/run`), 'out/{code}/run');
  assert.equal(of('v-fedcba987654'), 'v-{lib}');
  for (const name of ['89abcd', '1234567', 'deadbeefcafe', 'x89abcdef0123', '89abcdef9999'])
    assert.equal(of(name), name);
});

test('folders of the run are replaced as wholes, the longest first', () => {
  const folders = [
    { path: '/w/out', name: '{out}' },
    { path: '/w', name: '{home}' },
  ];
  const of = (name: string) => stableName(name, { folders });
  assert.equal(of('run -o /w/out/x /w/y'), 'run -o {out}/x {home}/y');
  assert.equal(of('run /w/output /ww /x/w/out2'), 'run {home}/output /ww /x/w/out2');
});

test('a renamed sample knows its original, and two things keep two names', () => {
  const set = { metric: 'time', unit: 's', better: 'lower', values: [1], settings: {} } as const;
  const [one, other] = stableSamples(
    [
      { ...set, benchmark: [`${checkout(COMMIT)}/bench`] },
      { ...set, benchmark: ['sort'], settings: { n: 3 } },
    ],
    {},
  );
  assert.deepEqual([one?.benchmark, one?.original], [['code/bench'], `${checkout(COMMIT)}/bench`]);
  assert.deepEqual([other?.benchmark, other?.original], [['sort'], undefined]);
  const twice = [COMMIT, 'f'.repeat(40)].flatMap((commit) =>
    ['time', 'memory'].map((metric) => ({ ...set, metric, benchmark: [`${checkout(commit)}/bench`] })),
  );
  assert.deepEqual(
    stableSamples(twice, {}).map(({ benchmark, metric }) => `${benchmark}: ${metric}`),
    ['code/bench: time', 'code/bench: memory', 'code/bench (2): time', 'code/bench (2): memory'],
  );
  const value = (name: string) => ({ experiment: 'e', path: [name, 'ms'], value: 1 });
  const paths = stableValues(
    [value(`${checkout(COMMIT)}/b`), value(`${checkout('f'.repeat(40))}/b`), value('code/b'), value('c')],
    {},
  ).map(({ path }) => path.join(':'));
  assert.deepEqual(paths, ['code/b:ms (2)', 'code/b:ms (3)', 'code/b:ms', 'c:ms']);
});
