import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedText, pythonYaml, settingsYaml } from './python-yaml.ts';

/** Recorded from yaml.dump of PyYAML 6.0. */
const TEXTS: Readonly<Record<string, string>> = {
  'a b': 'a b',
  '4, 8': '4, 8',
  yes: "'yes'",
  '1': "'1'",
  '1.0': "'1.0'",
  '1.0.0': '1.0.0',
  '': "''",
  '~': "'~'",
  True: "'True'",
  'a: b': "'a: b'",
  'a #b': "'a #b'",
  '- x': "'- x'",
  '-x': '-x',
  '?x': '?x',
  '@x': "'@x'",
  'x@': 'x@',
  '%x': "'%x'",
  '{a}': "'{a}'",
  'a,b': 'a,b',
  "it's": "it's",
  "'q'": "'''q'''",
  '"q"': `'"q"'`,
  '\ttab': '"\\ttab"',
  'trail ': "'trail '",
  é: '"\\xE9"',
  '\u2028': '"\\L"',
  '0x1f': "'0x1f'",
  '1_000': "'1_000'",
  '1:30': "'1:30'",
  '2024-01-01': "'2024-01-01'",
  '2024-01-01T00:00:00': "'2024-01-01T00:00:00'",
  '.5': "'.5'",
  '5.': "'5.'",
  '-': "'-'",
  '=': "'='",
  '<<': "'<<'",
  'a:': "'a:'",
  'a:b': 'a:b',
  ':a': ':a',
  '*x': "'*x'",
  '|': "'|'",
  "a'b: c": "'a''b: c'",
  '\x07': '"\\a"',
  'a\x00b': '"a\\0b"',
  '😀': '"\\U0001F600"',
  '---': "'---'",
  on: "'on'",
  y: 'y',
  '+1': "'+1'",
  '1.5e+3': "'1.5e+3'",
  '012': "'012'",
  'a\\b': 'a\\b',
  '#x': "'#x'",
  'a#b': 'a#b',
};

for (const [text, yaml] of Object.entries(TEXTS))
  test(`the text ${JSON.stringify(text)} is written as Python writes it`, () =>
    assert.equal(settingsYaml({ k: text }), `k: ${yaml}\n`));

test('texts that YAML 1.2 takes for numbers are quoted, unlike in Python', () => {
  assert.equal(settingsYaml({ a: '1e3', b: '0o7' }), "a: '1e3'\nb: '0o7'\n");
});

test('lists, mappings and numbers are laid out as Python does it', () => {
  const value = {
    a: [1, [2, 3], { x: 1, y: [] }],
    b: {},
    c: { d: { e: null } },
    f: 1e20,
    g: 1e-7,
    h: true,
    i: [[], {}],
    j: 1.5,
    l: [{ a: { b: 1 } }],
  };
  const text = `a:
- 1
- - 2
  - 3
- x: 1
  y: []
b: {}
c:
  d:
    e: null
f: 1.0e+20
g: 1.0e-07
h: true
i:
- []
- {}
j: 1.5
l:
- a:
    b: 1
`;
  assert.equal(pythonYaml(value), text);
});

test('settings are sorted, and a number may have a text of its own', () => {
  assert.equal(
    settingsYaml({ b: 1, '@seed': 2, a: { z: 1, y: 2 } }, { b: '1.0' }),
    "'@seed': 2\na:\n  y: 2\n  z: 1\nb: 1.0\n",
  );
  assert.equal(settingsYaml({}), '{}\n');
});

test('a long text is folded where Python folds it, and its last space stays', () => {
  const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');
  const first = words.slice(0, words.indexOf(' word12'));
  assert.equal(foldedText(words, 9), `${first}\n  word12 word13 word14 word15 word16 word17 word18 word19`);
  assert.equal(foldedText(`${first} word12 `, 9), `'${first}\n  word12 '`);
  const long = 'a'.repeat(75);
  assert.equal(foldedText(`${long} `, 9), `'${long} '`);
});
