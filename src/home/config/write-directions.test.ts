import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDirection } from './write-directions.ts';

const set = (text: string, pattern: string, better: 'lower' | 'higher' | 'none' | undefined) =>
  withDirection(text, 'directions', { pattern, better });

test('a first direction comes to the end, and nothing else changes', () => {
  const file = '# my home\nproject:   p # here\nexperiments: { a: "true" }\n';
  assert.equal(set(file, 'k6/*/rate', 'higher'), `${file}directions:\n  "k6/*/rate": higher\n`);
  assert.equal(set('project: p', 'a b', 'none'), 'project: p\ndirections:\n  "a b": none\n');
});

test('another direction comes below the others, before what follows', () => {
  const file = 'directions:\n    # times\n    "*/seconds": lower # all\n\n# more\nexperiments: {}\n';
  const expected =
    'directions:\n    # times\n    "*/seconds": lower # all\n    "p(95)": higher\n\n# more\nexperiments: {}\n';
  assert.equal(set(file, 'p(95)', 'higher'), expected);
});

test('a declared one is changed in its place, and can be taken back', () => {
  const file = 'directions:\n  a/*: lower # why\n  b: none\nproject: p\n';
  assert.equal(set(file, 'a/*', 'higher'), 'directions:\n  a/*: higher # why\n  b: none\nproject: p\n');
  assert.equal(set(file, 'a/*', undefined), 'directions:\n  b: none\nproject: p\n');
  assert.equal(set(file, 'c', undefined), file);
  assert.equal(set('directions:\n  a: lower\np: 1\n', 'a', undefined), 'directions:\n  {}\np: 1\n');
});

test('a mapping on one line stays on one line', () => {
  assert.equal(
    set('directions: {a: lower} # x\n', 'b', 'none'),
    'directions: { "a": lower, "b": none } # x\n',
  );
  assert.equal(set('directions: {a: lower}\n', 'a', undefined), 'directions: {}\n');
  assert.equal(set('directions: {}\n', 'a', 'lower'), 'directions: { "a": lower }\n');
});

test('a file of its own has the patterns at its top', () => {
  const one = withDirection('', 'top', { pattern: 'cpu/*', better: 'lower' });
  assert.equal(one, '"cpu/*": lower\n');
  assert.equal(withDirection(one, 'top', { pattern: 'x', better: 'none' }), '"cpu/*": lower\n"x": none\n');
});

test('what cannot be edited is an error with what to write, and no file', () => {
  const code = (text: string) => {
    try {
      return set(text, 'a', 'lower');
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  assert.equal(code('directions: [1]\n'), 'CONFIG_NOT_EDITED');
  assert.equal(code('directions:\n'), 'CONFIG_NOT_EDITED');
  assert.equal(code('a: [\n'), 'CONFIG_NOT_EDITED');
});
