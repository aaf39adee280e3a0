import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMarkup } from './chat-markup.ts';

const shown = (text: string) =>
  readMarkup(text).map((part) =>
    part.type === 'text' ? part.text : part.type === 'link' ? [part.text, part.url] : [part.type, part.text],
  );

test('the forms of chat programs are distinguished from text', () => {
  assert.deepEqual(shown('_seconds_\ngzip_1: 2 ms'), [['italic', 'seconds'], '\ngzip_1: 2 ms']);
  assert.deepEqual(shown('a *big one* of `x * y`, ~old~'), [
    ...['a ', ['bold', 'big one'], ' of ', ['code', 'x * y'], ', ', ['struck', 'old']],
  ]);
  assert.deepEqual(shown('see <https://x.example/a?b=1&amp;c=2|the &lt;log&gt;> now'), [
    ...['see ', ['the <log>', 'https://x.example/a?b=1&c=2'], ' now'],
  ]);
  assert.deepEqual(shown('<https://x.example>'), [['https://x.example', 'https://x.example']]);
});

test('names, sums, lone signs, other schemes and markup of pages stay as they are', () => {
  for (const text of [
    'snake_case_name and a*b*c and 2 * 3 * 4',
    '_ alone _ and *\n*',
    '**twice**',
    '<javascript:alert(1)|click>',
    '<b onclick=alert(1)>x</b>',
    '',
  ])
    assert.deepEqual(shown(text), text === '' ? [] : [text]);
  assert.deepEqual(shown('&lt;script&gt;'), ['<script>']);
});

test('a long text without an end of its markup costs no more than its length', () => {
  const text = '*a'.repeat(50_000);
  assert.equal(shown(text).flat().join('').length > 0, true);
});
