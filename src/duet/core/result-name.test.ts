import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatResultName, parseResultName, resultName } from './result-name.ts';

interface Recorded extends Readonly<Record<string, string>> {
  readonly runid: string;
  readonly back: string;
}
const recorded = JSON.parse(readFileSync('test/golden/duet/filenames.json', 'utf8')) as Readonly<
  Record<string, Recorded | null>
>;

test('there are nine names to check', () => assert.equal(Object.keys(recorded).length, 9));

for (const [name, expected] of Object.entries(recorded)) {
  test(`${name} is read as the original reads it`, () => {
    const parsed = parseResultName(name);
    if (expected === null) return assert.equal(parsed, undefined);
    const { back, runid, ...rest } = expected;
    assert.deepEqual(parsed, { ...rest, runid: Number(runid) });
    return assert.equal(parsed && formatResultName(parsed), back);
  });
}

test('a pair has its order in the name, one side alone "None"; dots of suite and benchmark become "_"', () => {
  const origin = { suite: 'renaissance', path: '/duet/results.json' };
  assert.equal(
    resultName({ type: 'duet', benchmark: 'als.v2', runid: 0, order: 'BA' }, 'A', origin),
    'renaissance.als_v2.0.duet.BA.A.results.json',
  );
  assert.equal(
    resultName({ type: 'seqn', benchmark: 'fop', runid: 0, pair: 'A' }, 'A', {
      suite: 'dacapo',
      path: '/duet/results.csv',
    }),
    'dacapo.fop.0.seqn.None.A.results.csv',
  );
  assert.equal(
    resultName({ type: 'syncduet', benchmark: '500.perlbench_r', runid: 12, order: 'AB' }, 'B', {
      suite: 'spec.cpu',
      path: 'out/result/',
    }),
    'spec_cpu.500_perlbench_r.12.syncduet.AB.B.result',
  );
});

test('lenient reading knows the word sequential, with an order', () => {
  assert.deepEqual(parseResultName('debug.a.0.sequential.AB.A.x', { lenient: true }), {
    suite: 'debug',
    benchmark: 'a',
    runid: 0,
    type: 'seqn',
    order: 'AB',
    pair: 'A',
    file: 'x',
  });
});

test('lenient reading knows names without suite and type; suiteOf gives the suite', () => {
  const oldest = 'chi-square.0.A.results.json';
  const expected = { benchmark: 'chi-square', runid: 0, type: 'duet', order: 'None', pair: 'A' };
  assert.equal(parseResultName(oldest), undefined);
  assert.deepEqual(parseResultName(oldest, { lenient: true }), {
    suite: '',
    ...expected,
    file: 'results.json',
  });
  const suiteOf = (benchmark: string) => (benchmark === 'chi-square' ? 'renaissance' : undefined);
  assert.equal(parseResultName(oldest, { lenient: true, suiteOf })?.suite, 'renaissance');
  assert.deepEqual(parseResultName('renaissance.chi-square.0.A.results.json', { lenient: true }), {
    suite: 'renaissance',
    ...expected,
    file: 'results.json',
  });
});

test('lenient reading knows the documented form with the order before the type', () => {
  const expected = { suite: 's', benchmark: 'b', runid: 3, order: 'BA', pair: 'B', file: 'r.csv' };
  assert.deepEqual(parseResultName('s.b.3.BA.B.r.csv', { lenient: true }), { ...expected, type: 'duet' });
  assert.deepEqual(parseResultName('s.b.3.BA.syncduet.B.r.csv', { lenient: true }), {
    ...expected,
    type: 'syncduet',
  });
});

test('lenient reading reads every name that the original reads, with the same result', () => {
  for (const [name, expected] of Object.entries(recorded)) {
    if (expected === null) continue;
    assert.deepEqual(parseResultName(name, { lenient: true }), parseResultName(name));
  }
});

test('lenient reading brings back names of any characters but dots', () => {
  const name = resultName({ type: 'duet', benchmark: 'c++ sort: 1', runid: 7, order: 'AB' }, 'A', {
    suite: 'é',
    path: 'r',
  });
  assert.equal(parseResultName(name), undefined);
  assert.equal(parseResultName(name, { lenient: true })?.benchmark, 'c++ sort: 1');
});

test('what is no result name stays none', () => {
  for (const name of [
    'artifacts',
    'journal.ndjson',
    'a.b.c',
    'debug.a.b.0.duet.AB.A.x',
    's.b.0.duet.AB.C.x',
  ]) {
    assert.equal(parseResultName(name, { lenient: true }), undefined, name);
  }
  assert.equal(parseResultName('s.b.99999999999999999999.duet.AB.A.x'), undefined);
});
