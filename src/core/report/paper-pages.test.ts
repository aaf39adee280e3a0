import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textWidth } from '../charts/text-width.ts';
import { PAPER } from './paper.ts';
import { paperPages } from './paper-pages.ts';
import { wrapText } from './paper-text.ts';
import { heading, sentence, table } from './report-document.ts';

const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);

test('a table goes on over pages, with its head on each and every row once', () => {
  const rows = Array.from({ length: 150 }, (_, index) => [`row ${index}`, 'x'.repeat(index * 4)]);
  const pages = paperPages({
    title: 'A report',
    parts: [heading(1, 'A report'), table({ columns: ['the name', 'long'], rows })],
  });
  assert.ok(pages.length > 3);
  for (const [index, page] of pages.entries()) {
    assert.equal(textsOf(page).filter((text) => text === 'the name').length, 1);
    assert.ok(textsOf(page).includes(`${index + 1} of ${pages.length}`));
    for (const [, y] of page.matchAll(/<text x="[^"]*" y="([\d.]+)"/g))
      assert.ok(Number(y) < PAPER.height - 20);
  }
  const names = pages.flatMap(textsOf).filter((text) => text?.startsWith('row '));
  assert.deepEqual(
    names,
    rows.map(([name]) => name),
  );
});

test('words that are too long are broken, and a text that never ends is cut', () => {
  const look = { size: 8, fill: '#000000' };
  const lines = wrapText(`short ${'w'.repeat(200)} end`, look, { width: 100, most: 50 });
  assert.equal(lines.join('').replaceAll(' ', ''), `short${'w'.repeat(200)}end`);
  for (const line of lines) assert.ok(textWidth(line, 8) <= 100, line);
  const cut = wrapText('word '.repeat(1e6), look, { width: 100, most: 3 });
  assert.equal(cut.length, 3);
  assert.match(cut[2] ?? '', /…$/);
});

test('text of others is text, and only web addresses are links', () => {
  const [page = ''] = paperPages({
    title: '<x>',
    parts: [
      sentence('<script>alert(1)</script>'),
      { type: 'links', links: [{ text: 'go', url: 'https://example.org/"x' }] },
      { type: 'links', links: [{ text: 'bad', url: 'javascript:alert(1)' }] },
    ],
  });
  assert.ok(!page.includes('<script'));
  assert.ok(page.includes('<a href="https://example.org/&#34;x">'));
  assert.ok(!page.includes('javascript:'));
});
