import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import localDisk from '../../../platform/adapters/local-disk/local-disk.ts';
import { listGraphs } from './result-files.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-graphs-'));
const graphs = join(home, 'results/experiments/graph/exp');
mkdirSync(join(graphs, 'a/b'), { recursive: true });
after(() => rmSync(home, { recursive: true }));

test('lists pictures at any depth, and nothing behind links', async () => {
  for (const file of ['top.PNG', 'a/one.svg', 'a/b/two.jpg', 'status.json', 'a/page.html']) {
    writeFileSync(join(graphs, file), '');
  }
  symlinkSync('..', join(graphs, 'a/loop'));
  symlinkSync('top.PNG', join(graphs, 'link.png'));
  assert.deepEqual(await listGraphs(home, 'exp', localDisk), {
    files: ['top.PNG', 'a/one.svg', 'a/b/two.jpg'],
    isCut: false,
  });
});

test('an experiment without pictures has none', async () => {
  assert.deepEqual(await listGraphs(home, 'other', localDisk), { files: [], isCut: false });
});

test('too many pictures are cut, and it says so', async () => {
  for (let index = 0; index < 250; index++) writeFileSync(join(graphs, `${index}.png`), '');
  const { files, isCut } = await listGraphs(home, 'exp', localDisk);
  assert.deepEqual([files.length, isCut], [200, true]);
});
