import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lineDiff } from './line-diff.ts';

test('reports an inserted, a removed and a changed line with what stands around them', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n';
  const after = 'a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nl\nm\n';
  assert.deepEqual(lineDiff(before, after), {
    added: 2,
    removed: 2,
    lines: [
      '@@ -1,5 +1,5 @@',
      ' a',
      '-b',
      '+B',
      ' c',
      ' d',
      ' e',
      '@@ -8,5 +8,5 @@',
      ' h',
      ' i',
      ' j',
      '-k',
      ' l',
      '+m',
    ],
  });
});

test('equal texts have no difference, and a missing line end is one', () => {
  assert.deepEqual(lineDiff('a\nb', 'a\nb').lines, []);
  assert.deepEqual(lineDiff('a\n', 'a').lines, ['@@ -1 +1 @@', '-a', '+a\n\\ No newline at end of file']);
  assert.deepEqual(lineDiff('', 'a\n').lines, ['@@ -0,0 +1 @@', '+a']);
});

test('what it says turns one text into the other, as patch understands it', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-'));
  context.after(() => rmSync(folder, { recursive: true }));
  let seed = 7;
  const chance = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const text = () => Array.from({ length: chance(40) }, () => 'abcd'[chance(4)]).join('\n');
  for (let round = 0; round < 25; round++) {
    const [before, after] = [`${text()}\n`, `${text()}${chance(2) ? '\n' : ''}`];
    const { lines, added, removed } = lineDiff(before, after);
    assert.equal(lines.filter((line) => line.startsWith('+')).length, added);
    assert.equal(lines.filter((line) => line.startsWith('-')).length, removed);
    const [file, patch] = [join(folder, 'file'), join(folder, 'patch')];
    writeFileSync(file, before);
    writeFileSync(patch, `--- a/file\n+++ b/file\n${lines.map((line) => `${line}\n`).join('')}`);
    if (lines.length === 0) continue;
    const { status, stdout, stderr, error } = spawnSync('git', ['apply', '--unidiff-zero', '-p1', 'patch'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error) return context.skip('git is not here: install it to check the form of differences');
    assert.equal(status, 0, `${stdout}${stderr}\n${lines.join('\n')}`);
    const { stdout: patched } = spawnSync('cat', ['file'], { cwd: folder, encoding: 'utf8' });
    assert.equal(patched, after);
  }
});

test('texts that have nothing in common are reported as replaced, in little time', () => {
  const many = (letter: string) => Array.from({ length: 20_000 }, (_, at) => `${letter}${at}\n`).join('');
  const { added, removed } = lineDiff(many('a'), many('b'));
  assert.deepEqual([added, removed], [20_000, 20_000]);
});
