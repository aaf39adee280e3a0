import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command as Parser } from 'commander';
import type { Options } from '../../platform/cli/command.ts';
import { configureCompare, readCompareOptions } from './compare-options.ts';
import { joinParameterWords } from './compare-parameters.ts';

function read(...words: string[]) {
  const parser = new Parser().exitOverride().configureOutput({ writeErr() {} });
  configureCompare(parser);
  parser.parse([...joinParameterWords(words)], { from: 'user' });
  return readCompareOptions(parser.opts<Options>());
}

test('without options: ten pairs or three seconds a side, one warm-up, 95 %, 1 %', () => {
  assert.deepEqual(read('a', 'b'), {
    names: [],
    parameters: [],
    count: { type: 'timed', least: 10, most: 1000, seconds: 3 },
    warmup: 1,
    stop: 'never',
    level: 0.95,
    minEffect: 0.01,
    allow: 0,
    orLikely: false,
    measure: 'auto',
    hasCounters: false,
    output: 'errors',
    setup: [],
    prepare: [],
    cleanup: [],
    isPinned: false,
    ignoreFailure: false,
  });
});

test('short and long options are understood', () => {
  const settings = read(
    ...['-r', '20', '-w', '3', '-N', '-n', 'old', '-n', 'new', '-p', 'sync', '-i', '--pin', '--alternate'],
    ...['--min-effect', '0.5%', '--level', '0.99', '--timeout', '10s', '--seed', '0', '--allow', '2 %'],
    ...[
      '--measure',
      'cache-misses',
      '--counters',
      '-L',
      'n',
      '1,2',
      '-P',
      'm',
      '1',
      '3',
      '-D',
      '2',
      'a',
      'b',
    ],
  );
  assert.deepEqual(settings, {
    names: ['old', 'new'],
    parameters: [
      { name: 'n', values: ['1', '2'] },
      { name: 'm', values: ['1', '3'] },
    ],
    mode: 'alternate',
    count: { type: 'exact', pairs: 20 },
    warmup: 3,
    stop: 'never',
    level: 0.99,
    minEffect: 0.005,
    allow: 0.02,
    orLikely: false,
    measure: 'cache-misses',
    hasCounters: true,
    seed: 0,
    timeoutMs: 10_000,
    output: 'errors',
    shell: 'none',
    setup: [],
    prepare: ['sync'],
    cleanup: [],
    isPinned: true,
    ignoreFailure: true,
  });
});

test('a limit moves the other one along', () => {
  assert.deepEqual(read('-M', '5').count, { type: 'timed', least: 5, most: 5, seconds: 3 });
  assert.deepEqual(read('-m', '2000').count, { type: 'timed', least: 2000, most: 2000, seconds: 3 });
  assert.deepEqual(read('--stop', 'when-decided').count, {
    type: 'timed',
    least: 40,
    most: 1000,
    seconds: 12,
  });
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['-r 0', /--runs "0" is not a whole number from 1/],
  ['-r -3', /--runs "-3"/],
  ['-r 2.5', /--runs "2.5"/],
  ['-w x', /--warmup "x"/],
  ['-r 5 -M 9', /--runs fixes the number/],
  ['-m 9 -M 5', /--min-runs 9 is more than --max-runs 5/],
  ['--together --alternate', /--together and --alternate exclude each other/],
  ['--stop when-decided --one-after-another', /needs pairs/],
  ['--stop sometimes', /--stop cannot be "sometimes"/],
  ['--min-effect 1', /--min-effect "1" is not a percentage/],
  ['--min-effect -1%', /--min-effect "-1%" is not a percentage/],
  ['--allow much', /--allow "much" is not a percentage/],
  ['--level 100%', /--level "100%"/],
  ['--level 40%', /--level "40%"/],
  ['--timeout never', /--timeout "never"/],
  ['--timeout 0s', /--timeout "0s"/],
  ['--seed 4294967296', /--seed "4294967296"/],
  ['-n a -n b -n c', /--command-name is given 3 times/],
  ['-D 2', /--parameter-step-size is the step of --parameter-scan/],
  ['--measure speed', /--measure cannot be "speed"/],
  ['--output screen', /--output cannot be "screen"/],
];

for (const [words, message] of REFUSED) {
  test(`refuses ${words}`, () => {
    assert.throws(
      () => read(...words.split(' ')),
      (error: Error & { code?: string; hint?: string }) => {
        assert.equal(error.code, 'CLI_INVALID_OPTION');
        assert.match(error.message, message);
        assert.ok(error.hint);
        return true;
      },
    );
  });
}
