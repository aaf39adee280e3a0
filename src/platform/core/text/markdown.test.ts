import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBlock, codeSpan, plainMarkdown, tableCell } from './markdown.ts';

test('a code span holds any text', () => {
  assert.equal(codeSpan('make -j2'), '`make -j2`');
  assert.equal(codeSpan('echo `date`'), '`` echo `date` ``');
  assert.equal(codeSpan('a ``` b'), '````a ``` b````');
  assert.equal(codeSpan('two\nlines\x1b[31m'), '`two lines [31m`');
  assert.equal(codeSpan(''), '` `');
});

test('plain text is no markup, no mention and no reference', () => {
  assert.equal(
    plainMarkdown('<img> [x](y) **b** #12 a|b @ada'),
    '\\<img\\> \\[x\\](y) \\*\\*b\\*\\* \\#12 a\\|b @\u200bada',
  );
});

test('a cell keeps its bars', () => {
  assert.equal(tableCell(codeSpan('a | b')), '`a \\| b`');
  assert.equal(tableCell(plainMarkdown('a|b')), 'a\\|b');
});

test('a block is closed by its own fence alone', () => {
  assert.equal(codeBlock(['a', '```', 'b'], 'sh'), '````sh\na\n```\nb\n````\n');
});
