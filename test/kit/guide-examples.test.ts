import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { noPython } from '../support/python-job.ts';
import { folderWith, removeFolders } from '../support/python-kit.ts';

after(removeFolders);

/** The files that a guide shows: fenced blocks that have a name after their language. */
function filesOf(guide: string): Record<string, string> {
  const text = readFileSync(join(process.cwd(), 'docs/guide', guide), 'utf8');
  const blocks = [...text.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)];
  return Object.fromEntries(blocks.map(([, name = '', content = '']) => [name, content]));
}

test('the experiments of five lines in the guide run a night', { skip: noPython }, async () => {
  const files = filesOf('script-kit.md');
  assert.deepEqual(Object.keys(files).sort(), ['five.mjs', 'five.py', 'five.sh', 'nightmark.yml']);
  for (const [name, text] of Object.entries(files))
    assert.ok(name === 'nightmark.yml' || text.trim().split('\n').length <= 5, name);
  const home = folderWith(files);
  const { code, stdout, stderr } = await runBinary(['run', home]);
  assert.equal(code, 0, stdout + stderr);
  for (const name of ['in-python', 'in-bash', 'in-node']) {
    const folder = join(home, 'results/experiments/data', name);
    const data = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'));
    const [small, large] = [data.detailed['1000'], data.detailed['10000']];
    assert.deepEqual([small?.n, large?.n], [10, 10], `${name}: ${JSON.stringify(data)}`);
  }
});
