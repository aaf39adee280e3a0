import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const MOST_WORDS = 80;

interface Row {
  readonly section: string;
  readonly word: string;
  readonly meaning: string;
}

const rows = readFileSync('docs/glossary.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [name = '', ...lines] = section.split('\n');
    return lines
      .filter((line) => line.startsWith('| **'))
      .map((line): Row => {
        const [, word = '', meaning = ''] = /^\| \*\*([^*]+)\*\* \| (.+) \|$/.exec(line) ?? [];
        return { section: name, word, meaning };
      });
  });

test('the glossary has its sections, and each of them has rows of one word and its meaning', () => {
  const sections = new Set(rows.map(({ section }) => section));
  assert.deepEqual([...sections], ['Running', 'Results', 'Judging', 'Metrics', 'Jobs', 'Publishing', 'Code']);
  assert.deepEqual(
    rows.filter(({ word, meaning }) => word === '' || meaning === ''),
    [],
  );
});

test('each word has one row', () => {
  const words = rows.map(({ word }) => word.toLowerCase());
  assert.deepEqual(
    words.filter((word, place) => words.indexOf(word) !== place),
    [],
  );
});

test('words are sorted in each section', () => {
  for (const section of new Set(rows.map((row) => row.section))) {
    const words = rows.filter((row) => row.section === section).map(({ word }) => word.toLowerCase());
    assert.deepEqual(words, words.toSorted(), section);
  }
});

test(`no meaning has more than ${MOST_WORDS} words`, () => {
  const long = rows.filter(({ meaning }) => meaning.split(/\s+/).length > MOST_WORDS);
  assert.deepEqual(
    long.map(({ word }) => word),
    [],
  );
});
