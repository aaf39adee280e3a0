import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from './pattern.ts';

const CASES: readonly (readonly [pattern: string, matching: readonly string[], others: readonly string[]])[] =
  [
    ['(?i)ab', ['xAb', 'aB'], ['ba']],
    ['a(?i)B', ['ab', 'aB'], ['AB']],
    ['(?i:a)b', ['Ab'], ['AB']],
    ['^[[:upper:]][^[:digit:]]$', ['Ab'], ['A1', 'ab', 'Abc']],
    ['\\Aa\\z', ['a'], ['aa', 'a\n']],
    ['a$', ['ba'], ['a\n']],
    ['(?m)^b$', ['a\nb\nc', 'b'], ['ab']],
    ['a.b', ['a-b', 'a\u{1f600}b'], ['a\nb']],
    ['(?s)a.b', ['a\nb'], ['ab']],
    ['^(?P<name>x|y)+$', ['xyx'], ['xz', '']],
    ['^\\pL\\p{Greek}\\P{L}$', ['aα1'], ['1α1', 'aα2b']],
    ['\\Qa.b\\E+$', ['a.bbb'], ['axb']],
    ['\\bcat\\b', ['a cat', 'cat!'], ['concat', 'cats']],
    ['^a{2,3}$', ['aa', 'aaa'], ['a', 'aaaa']],
    ['a{,2}', ['a{,2}'], ['aa']],
    ['[]a-c\\]-]', [']', 'b', '-'], ['d']],
    ['[^]]', ['a'], [']']],
    ['\\x41\\x{1F600}\\101', ['A\u{1f600}A'], ['A']],
    ['(?i)[^k]', ['a'], ['k', 'K']],
    ['$^', [''], ['a']],
    ['', ['', 'a'], []],
  ];

for (const [pattern, matching, others] of CASES) {
  test(`/${pattern}/ matches what it matches in Go`, () => {
    const compiled = compilePattern(pattern);
    for (const text of [...matching, ...matching]) assert.ok(compiled.test(text), JSON.stringify(text));
    for (const text of others) assert.ok(!compiled.test(text), JSON.stringify(text));
  });
}

const WRONG: readonly (readonly [pattern: string, message: string])[] = [
  ['(a', 'missing closing ): `(a`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['[b-a]', 'invalid character class range: `b-a`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
  ['(a{1000}){1000}', 'expression too large: `(a{1000}){1000}`'],
];

for (const [pattern, message] of WRONG) {
  test(`/${pattern}/ is refused in the words of Go`, () => {
    assert.throws(() => compilePattern(pattern), { message });
  });
}

/** The engine of JavaScript agrees on what both know, with any text. */
test('random expressions match what those of JavaScript match', () => {
  let state = 7;
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % count;
  };
  const atom = (depth: number): string => {
    const made = ['a', 'b', '[ab]', '[^a]', '.', '\\w', '\\b'][below(7)] as string;
    if (depth > 0 && below(3) === 0) return `(?:${expression(depth - 1)})`;
    return made;
  };
  const expression = (depth: number): string =>
    Array.from(
      { length: 1 + below(3) },
      () => atom(depth) + (['', '', '*', '+', '?', '{1,2}'][below(6)] ?? ''),
    )
      .join(below(3) === 0 ? '|' : '')
      .replace(/^/, below(4) === 0 ? '^' : '')
      .replace(/$/, below(4) === 0 ? '$' : '');
  for (let i = 0; i < 2_000; i++) {
    const pattern = expression(2)
      .replaceAll('\\b*', '\\b')
      .replaceAll(/\\b(?:[+?]|\{1,2\})/g, '\\b');
    const [ours, theirs] = [compilePattern(pattern), new RegExp(pattern, 'u')];
    for (let j = 0; j < 8; j++) {
      const text = Array.from({ length: below(7) }, () => 'ab -'[below(4)]).join('');
      assert.equal(ours.test(text), theirs.test(text), `/${pattern}/ and ${JSON.stringify(text)}`);
    }
  }
});

test('no expression takes longer than in proportion to the text', () => {
  const text = `${'a'.repeat(60_000)}b`;
  // With the engine of JavaScript each of these would not end.
  for (const pattern of ['(a+)+$', '(a|a)*c', '.*.*.*.*x', '(a|aa)+$', '(.*)*c', '(a?){50}a{50}c'])
    assert.equal(compilePattern(pattern).test(text), false, pattern);
});
