import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeFilter } from './code-package.ts';

test('an ignore file holds globs of names; a folder takes its content with it', () => {
  const isOut = codeFilter('# data\n*.pyc\ndata/\n\n  big?.bin ', ['.git']);
  const out = ['a.pyc', 'src/b.pyc', 'data', 'x/data', 'big1.bin', '.git', 'x/.git'];
  const kept = ['a.py', 'data.txt', 'big12.bin', 'x/gitignore', '# data'];
  assert.deepEqual(out.filter(isOut), out);
  assert.deepEqual(kept.filter(isOut), []);
});
