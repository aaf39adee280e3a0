import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cause, ChangedFact, Explanation, Fit, SourceChange } from './explanation.ts';
import { describeExplanation, explanationSentence } from './explanation-text.ts';

const machine = (name: string, before: string, after: string): ChangedFact => ({
  group: 'machine',
  name,
  before,
  after,
});

function cause(fact: ChangedFact, fit: Fit = 'good'): Cause {
  return { facts: [fact], score: 1, fit, offset: 0, elsewhere: { withEffect: 0, without: 0 } };
}

const glibc = cause(machine('libc', 'glibc 2.38', 'glibc 2.39'));
const flag = cause(machine('flag', 'on', 'off'), 'poor');
const load = cause({ group: 'telemetry', name: 'load', before: 0.25, after: 14 });
const commit = { hash: 'd4e5f6a', subject: 'Make it fast', author: 'Ada', at: Date.UTC(2026, 0, 5) };
const garage: SourceChange = {
  name: 'garage',
  before: 'a1b2c3',
  after: 'd4e5f6',
  between: { added: 37, removed: 0, commits: [commit] },
};
const bare: SourceChange = { name: 'garage', before: 'a1b2c3', after: 'd4e5f6' };

function sentence(causes: readonly Cause[], sources: readonly SourceChange[] = [], unchanged = 5): string {
  return explanationSentence({ causes, unchanged, unknown: 0 }, sources);
}

test('the sentence says what is the only difference, and what it does not know', () => {
  assert.equal(sentence([glibc]), 'Only difference: libc glibc 2.38 -> glibc 2.39.');
  assert.equal(
    sentence([glibc], [bare]),
    'Only difference besides the commit: libc glibc 2.38 -> glibc 2.39.',
  );
  assert.equal(
    sentence([glibc], [garage]),
    'Only difference besides 37 commits of garage between a1b2c3 and d4e5f6: libc glibc 2.38 -> glibc 2.39.',
  );
  assert.equal(
    sentence([], [garage]),
    '37 commits of garage between a1b2c3 and d4e5f6; nothing else that is recorded changed.',
  );
  assert.equal(
    sentence([], [bare]),
    'garage went from a1b2c3 to d4e5f6; nothing else that is recorded changed.',
  );
  assert.equal(sentence([]), 'Nothing that is recorded changed.');
  assert.equal(sentence([], [], 0), 'Nothing is recorded beside the values that could explain it.');
});

test('the sentence ranks several differences and blames none that comes and goes', () => {
  assert.equal(
    sentence([glibc, flag]),
    'Fits best: libc glibc 2.38 -> glibc 2.39; 1 other difference came and went without effect.',
  );
  assert.equal(
    sentence([glibc, load], [bare]),
    'Fits best besides the commit: libc glibc 2.38 -> glibc 2.39; 1 further difference may fit.',
  );
  assert.equal(sentence([flag]), 'Nothing that changed fits (1 difference, also seen without any effect).');
  assert.equal(sentence([load]), 'load 0.250 -> 14, which moved with it.');
  assert.equal(
    sentence([load], [bare]),
    'garage went from a1b2c3 to d4e5f6; load 0.250 -> 14, which moved with it.',
  );
});

test('a step back and a rewritten history are reported as such', () => {
  const back = { ...garage, between: { added: 0, removed: 2, commits: [] } };
  assert.match(sentence([], [back]), /^garage went back by 2 commits from a1b2c3 to d4e5f6; nothing else/);
  const rewritten = { ...garage, between: { added: 3, removed: 1, commits: [] } };
  assert.match(
    sentence([], [rewritten]),
    /^3 commits of garage between a1b2c3 and d4e5f6 \(and 1 that went\);/,
  );
});

const whole: Explanation = {
  causes: [
    { ...glibc, facts: [glibc.facts[0], machine('kernel', '6.1', '6.5')], offset: -1 },
    { ...load, score: 0.5 },
  ],
  unchanged: 41,
  unknown: 1,
  sentence: sentence([glibc], [garage]),
  sources: [garage],
  points: 120,
  notes: ['The journals of 3 runs are gone.'],
};

test('lines for a terminal', () => {
  assert.deepEqual(describeExplanation(whole), [
    'Only difference besides 37 commits of garage between a1b2c3 and d4e5f6: libc glibc 2.38 -> glibc 2.39.',
    '',
    '     what    before      after       fit',
    '  1  libc    glibc 2.38  glibc 2.39  good, 1 before',
    '     kernel  6.1         6.5         together with it',
    '  2  load    0.250       14          moves with it, good',
    '',
    '37 commits of garage between a1b2c3 and d4e5f6:',
    '  d4e5f6a  2026-01-05  Ada  Make it fast',
    '  and 36 more',
    '',
    '41 recorded facts did not change there; 1 fact recorded on one side only. Based on 120 points.',
    'What changed together need not be the cause.',
    'The journals of 3 runs are gone.',
  ]);
});

test('hostile names and subjects stay text', () => {
  const fact = machine('a|b`\u001b[31m\n# x', '<script>', '@everyone [x](y)');
  const evil = {
    ...commit,
    subject: '\u202e`](javascript:x) | @team',
    author: '<b>',
    link: 'https://github.com/a/b/commit/1',
  };
  const hostile: Explanation = {
    ...whole,
    causes: [cause(fact)],
    sentence: sentence([cause(fact)]),
    sources: [{ ...garage, name: 'x\u0007', between: { added: 1, removed: 0, commits: [evil] } }],
  };
  const text = describeExplanation(hostile);
  assert.ok(text.every((line) => !/[\p{Cc}\u202e]/u.test(line)));
  assert.ok(text.some((line) => line.includes('a|b`␛[31m␊# x')));
});

test('texts that differ far behind their beginning are reported by what differs', () => {
  const long = 'x'.repeat(500);
  const text = sentence([cause(machine('flags', `${long} avx`, `${long} sse`))]);
  assert.equal(text, 'Only difference: flags …xxxxxxxxx avx -> …xxxxxxxxx sse.');
});

test('numbers that were set are reported exactly, and a number apart from its text', () => {
  const setting = { group: 'setting', name: 'rate', before: 1.23456, after: 1.23457 } as const;
  assert.equal(sentence([cause(setting)]), 'Only difference: rate 1.23456 -> 1.23457.');
  assert.equal(sentence([cause({ ...setting, before: 1, after: '1' })]), 'Only difference: rate 1 -> "1".');
});
