import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitWords } from './split-words.ts';

test('a plain command is split at blanks', () => {
  assert.deepEqual(splitWords('  uname   -a\t-x\n'), ['uname', '-a', '-x']);
  assert.deepEqual(splitWords(''), []);
});

test('quotes and backslashes keep words together', () => {
  assert.deepEqual(splitWords(`bash -c 'echo "a  b"' x\\ y "it's \\"so\\"" '' a"b c"d`), [
    'bash',
    '-c',
    'echo "a  b"',
    'x y',
    `it's "so"`,
    '',
    'ab cd',
  ]);
  assert.deepEqual(splitWords(`'a\\b' \\`), ['a\\b', '\\']);
});

test('an open quote is refused with the command', () => {
  assert.throws(() => splitWords(`echo "abc`), { code: 'DUET_OPEN_QUOTE', message: /echo "abc/ });
});
