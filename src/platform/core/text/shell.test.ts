import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needsShell, shellWords } from './shell.ts';

const CASES = [
  'sleep 0.02',
  "  awk 'BEGIN{for(i=0;i<9;i++)x+=i}'  file  ",
  'say "two words" and\\ one',
  `it\\'s' not' "a \\"quote\\" \\\\ \\x" '' ""`,
  'a\'b\'c"d"e',
  'tab\tand\\\\back',
  'line\\\ngoes on',
];

for (const text of CASES) {
  test(`splits as sh does: ${JSON.stringify(text)}`, () => {
    const told = execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' });
    assert.deepEqual(shellWords(text), { state: 'words', words: told.split('\0').slice(0, -1) });
  });
}

test('a quote that is never closed is named', () => {
  assert.deepEqual(shellWords("echo 'oops"), { state: 'unclosed', quote: "'" });
  assert.deepEqual(shellWords('echo "oops'), { state: 'unclosed', quote: '"' });
});

test('nothing is no word', () => {
  assert.deepEqual(shellWords(' \t '), { state: 'words', words: [] });
});

test('operators, variables, patterns and assignments need a shell; plain words and quotes do not', () => {
  for (const text of ['a | b', 'a && b', 'echo $HOME', 'ls *.ts', 'X=1 cmd', 'a > b', 'a; b', '(a)', '~/x'])
    assert.equal(needsShell(text), true, text);
  for (const text of ['sleep 0.02', 'node --max=1 "a b"', "printf 'x y'", 'cmd KEY=value', 'a%b,c:d@e+f'])
    assert.equal(needsShell(text), false, text);
});

test('quotes and backslashes keep words together, and blanks of every kind part them', () => {
  const wordsOf = (text: string) => {
    const split = shellWords(text);
    return split.state === 'words' ? split.words : split.quote;
  };
  assert.deepEqual(wordsOf('  uname   -a\t-x\n'), ['uname', '-a', '-x']);
  assert.deepEqual(wordsOf(`bash -c 'echo "a  b"' x\\ y "it's \\"so\\"" '' a"b c"d`), [
    'bash',
    '-c',
    'echo "a  b"',
    'x y',
    `it's "so"`,
    '',
    'ab cd',
  ]);
  assert.deepEqual(wordsOf(`'a\\b' \\`), ['a\\b', '\\']);
});
