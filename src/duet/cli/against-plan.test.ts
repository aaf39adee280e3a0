import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison } from '../core/comparison.ts';
import { planAgainst, retypeAgainst } from './against-plan.ts';

const block = {
  file: '/r/nightmark.yml',
  build: 'make',
  run: './bench',
  minEffect: 0.005,
  allow: 0.02,
  runs: 40,
  measure: 'cpu',
};
const comparison = { mode: 'together', planned: 31, seed: 7 } as Comparison; // all that is looked at

test('several words are one command, one word is a line for the shell', () => {
  const command = (...words: string[]) => planAgainst({ ref: 'main', words }, {}, undefined).command;
  assert.equal(command('./bench', '--name', "a b'c"), "./bench --name 'a b'\\''c'");
  assert.equal(command('./bench | tail'), './bench | tail');
});

test('what is typed wins over the file and happens where it is typed', () => {
  const file = planAgainst({ ref: 'main', words: [] }, {}, block);
  assert.deepEqual(file.build, { command: 'make', in: 'root', again: false });
  assert.deepEqual([file.command, file.runIn, file.base], ['./bench', 'root', 'merge-base']);
  assert.deepEqual(file.options, { minEffect: '0.5%', allow: '2%', runs: '40', measure: 'cpu' });
  const typed = { build: 'ninja', minEffect: '3%', maxRuns: '9', base: 'ref', rebuild: true };
  const own = planAgainst({ ref: 'main', words: ['./other'] }, typed, block);
  assert.deepEqual(own.build, { command: 'ninja', in: 'dir', again: true });
  assert.deepEqual([own.command, own.runIn, own.base], ['./other', 'dir', 'ref']);
  assert.deepEqual([own.options['minEffect'], own.options['runs']], ['3%', undefined]);
});

test('mistakes are reported before anything is built', () => {
  const refused = (options: Record<string, string | boolean>, words = ['x']) =>
    assert.throws(() => planAgainst({ ref: 'main', words }, options, undefined), {
      code: 'CLI_INVALID_OPTION',
    });
  refused({ base: 'head' });
  refused({ json: true, summary: '-' });
  refused({ minEffect: 'little' });
  refused({}, []);
  assert.throws(
    () => planAgainst({ ref: 'main', words: [] }, {}, { file: '/r/nightmark.yml', build: 'make' }),
    /The block "duet" of \/r\/nightmark\.yml has no "run"/,
  );
});

test('types the same comparison again, exactly', () => {
  const again = (
    typed: Record<string, string | boolean | readonly string[]>,
    typedWords: readonly string[],
  ) => retypeAgainst({ typed, typedWords }, { commit: 'abc', comparison });
  assert.equal(
    again({ against: 'main', warmup: '1', level: '95%', fail: true, summary: 'x.md' }, []),
    'nightmark duet --against abc --base ref --together --runs 31 --seed 7',
  );
  assert.equal(
    again({ build: 'make -j2', maxRuns: '50', parameterList: ['n\x001,2'], N: true, pin: true, seed: '1' }, [
      './bench',
      '--n',
      '{n}',
    ]),
    "nightmark duet --against abc --base ref --build 'make -j2' --max-runs 50 --parameter-list n 1,2 -N --pin --together --seed 7 -- ./bench --n '{n}'",
  );
});
