import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseName, dirName, isInside, joinPath, resolvePath, whyInvalidName } from './path.ts';

test('paths are joined, split and resolved as POSIX paths', () => {
  assert.equal(joinPath('/a/', '', 'b', '/c'), '/a/b/c');
  assert.deepEqual(['/a/b/', 'b', '/a', '/'].map(baseName), ['b', 'b', 'a', '']);
  assert.deepEqual(['/a/b/', 'b', '/a'].map(dirName), ['/a', '.', '/']);
  assert.equal(resolvePath('/home/u', '../v/./w'), '/home/v/w');
  assert.equal(resolvePath('/home/u', '/x/../../y'), '/y');
});

test('a folder is not inside another that only begins like it', () => {
  assert.equal(isInside('/a/bc', '/a/b'), false);
  assert.equal(isInside('/a/b/c', '/a/b'), true);
  assert.equal(isInside('/a/b', '/a/b'), true);
  assert.equal(isInside('/a', '/'), true);
});

test('names that lead elsewhere are refused', () => {
  for (const bad of ['', '.', '..', 'a/b', 'a\0b']) assert.notEqual(whyInvalidName(bad), undefined, bad);
  for (const good of ['a', '...', 'two words', 'naïve', 'new\nline', '-rf'])
    assert.equal(whyInvalidName(good), undefined, good);
});
