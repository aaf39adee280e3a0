import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePattern, matchesOf } from './pattern.ts';

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
    ['^(?<name>x|y)+$', ['xyx'], ['xz', '']],
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
    const compiled = compilePattern(pattern, 'go');
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
  ['[b-a]', 'invalid character class range: `b-a`'],
  ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
  ['(a{1000}){1000}', 'invalid repeat count: `{1000}`'],
  ['\\u0041', 'invalid escape sequence: `\\u`'],
];

for (const [pattern, message] of WRONG) {
  test(`/${pattern}/ is refused in the words of Go`, () => {
    assert.throws(() => compilePattern(pattern, 'go'), { code: 'PATTERN_SYNTAX', message });
  });
}

test('what cannot be matched in linear time is named, with what to write instead', () => {
  for (const [pattern, message, hint] of [
    ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`', /^Lookaheads, .* are not supported\. Match what/],
    ['a(?!b)', 'invalid or unsupported Perl syntax: `(?!`', /^Lookaheads/],
    ['(a)\\1', 'invalid escape sequence: `\\1`', /^Back references/],
    ['(?<n>a)\\k<n>', 'invalid escape sequence: `\\k`', /^Back references/],
    ['(?P<n>a)(?P=n)', 'invalid or unsupported Perl syntax: `(?P`', /^Back references/],
    ['a'.repeat(1001), `expression too large: \`${'a'.repeat(100)}...\``, /at most 1000 characters/],
  ] as const)
    assert.throws(() => compilePattern(pattern), { code: 'PATTERN_UNSUPPORTED', message, hint });
  for (const [pattern, message] of [
    ['(a.b', 'missing closing ): `(a.b`'],
    ['[a.b', 'missing closing ]: `[a.b`'],
    ['(?<=a.', 'missing closing ): `(?<=a.`'],
  ] as const)
    assert.throws(() => compilePattern(pattern), { code: 'PATTERN_SYNTAX', message });
  assert.throws(() => compilePattern('(?<=(a))b'), { code: 'PATTERN_UNSUPPORTED', hint: /\(\?:\.\.\.\)/ });
  assert.throws(() => compilePattern('(?<=a)b', 'go'), { code: 'PATTERN_UNSUPPORTED', hint: /^Lookbehinds/ });
  assert.ok(compilePattern('a'.repeat(1001), 'go').test('a'.repeat(1001)));
});

test('an expression of JavaScript means what it means there', () => {
  const finds = (pattern: string, text: string) => Array.from(compilePattern(pattern).matchAll(text), String);
  assert.deepEqual(finds('\\u0061\\u{62}[\\u0063]', 'abc'), ['abc']);
  assert.deepEqual(finds('(?<=took )\\d+(?<!0)', 'took 105'), ['105']);
  // Progress bars return to the beginning of their line.
  assert.deepEqual(finds('^.*', '10%\r20%'), ['10%']);
  assert.deepEqual(finds('(?:.)+', '10%\r20%'), ['10%', '20%']);
  assert.deepEqual(finds('(?:\\S)+', '12\u00a0ms'), ['12', 'ms']);
  assert.deepEqual(finds('(?:[\\s,])+', '12,\u00a0ms'), [',\u00a0']);
  assert.deepEqual(finds('(?:[].])+', 'a].b'), ['].']);
  assert.deepEqual(finds('(?:[[:alpha:].])+', '1a.2'), ['a.']);
  assert.deepEqual(finds('(?s)a.b', 'a\nb'), ['a\nb']);
  assert.deepEqual(finds('\\Qa.\\Eb', 'a.b axb'), ['a.b']);
  assert.deepEqual(finds('(?i)TOTAL', 'a Total of totals'), ['Total', 'total']);
  assert.equal([...compilePattern('took (?<value>\\d+)').matchAll('took 7')][0]?.groups?.['value'], '7');
  assert.equal([...compilePattern('(?P<value>\\d)(\\d)?').matchAll('7')][0]?.groups?.['value'], '7');
});

const PIECES = [
  ...['a', 'b', '.', '[ab]', '[^a]', '\\w', 'a*', 'b+', 'a?', '(a|b)*', '(?:ab)+', 'a{2}', 'b{1,2}', '(b|)'],
  ...['^', '$', '\\b', 'a*?', '(a{1,}|b)', '\\s', '\\S+', '[\\s]', '(?<value>a)?', '(a|ab)', '(b*?)'],
];

/** Also says that the quick way finds what the linear one finds, since both are compared with the same. */
test('matches and their groups are those of JavaScript', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '\r', '\n', '\u00a0', '\u{1f600}') }),
      fc.boolean(),
      (parts, text, isLinear) => {
        const source = parts.join('');
        fc.pre(source.split('<value>').length <= 2);
        // A group around everything, once more than needed, keeps the engine of JavaScript away.
        const pattern = compilePattern(isLinear ? `(?:${source}){1}` : source);
        const native = new RegExp(source, 'gu');
        const expected = Array.from(text.matchAll(native), (found) => [found.index, ...found]);
        assert.equal(pattern.test(text), expected.length > 0, `${source} in ${JSON.stringify(text)}`);
        // A repeated group forgets in JavaScript what it had before, and does not in Go.
        if (/\)[*+]/.test(source)) return;
        const found = Array.from(pattern.matchAll(text), (each) => [each.index, ...each]);
        assert.deepEqual(found, expected, `${source} in ${JSON.stringify(text)}`);
      },
    ),
    { numRuns: 3000, seed: 3 },
  );
});

test('no expression takes longer than in proportion to the text', () => {
  // With the engine of JavaScript each of these would not end.
  for (const pattern of [
    ...['(a+)+$', '(a|a)*c', '.*.*.*.*x', '(a|aa)+$', '(.*)*c', '(a?){50}a{50}c', 'a*a*a*a*a*a*b\\b'],
    `${'(a|a)'.repeat(40)}c`,
    `${'a?'.repeat(30)}${'a'.repeat(30)}[^a]`,
  ]) {
    const compiled = compilePattern(pattern);
    for (const text of ['a'.repeat(60), `${'a'.repeat(2_000)}`, `${'a'.repeat(60_000)}`]) {
      assert.equal(compiled.test(`${text}b`), pattern.includes('\\b') || pattern.endsWith('[^a]'), pattern);
      assert.deepEqual([...compiled.matchAll(`${text}d`)].length, pattern.endsWith('[^a]') ? 1 : 0, pattern);
    }
  }
});

test('an empty match is found once, also before a character of two code units', () => {
  const found = (pattern: RegExp) => matchesOf(pattern, '\u{1f600}a').map(({ index }) => index);
  assert.deepEqual(
    [found(/x*/gu), found(/x*/g)],
    [
      [0, 2, 3],
      [0, 2, 3],
    ],
  );
});
