import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFile } from './site-files.ts';

test('an address has a file, and parameters are part of its name in any order', () => {
  assert.equal(documentFile('home'), 'data/home.js');
  assert.equal(documentFile('runs/20260105-030700-abcd'), 'data/runs/20260105-030700-abcd.js');
  assert.equal(documentFile('runs?a=1&b=2'), documentFile('runs?b=2&a=1'));
  assert.notEqual(documentFile('runs?a=1'), documentFile('runs?a=2'));
  assert.notEqual(documentFile('s?p=a&p=b'), documentFile('s?p=b&p=a'));
  assert.equal(documentFile('s?p=b&a=1&p=a'), documentFile('s?a=1&p=b&p=a'));
});

test('no name leads out of the folder, and capitals make another file', () => {
  const names = ['..%2F..%2Fetc%2Fpasswd', '%2e%2e', 'a%00b', 'Sort', 'sort', '<script>'].map((name) =>
    documentFile(`experiments/${name}`),
  );
  for (const name of names) assert.match(name, /^data\/experiments\/[a-z\d][\w.~-]*\.js$/);
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
});
