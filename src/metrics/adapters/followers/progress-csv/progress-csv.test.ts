import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { FollowedRecord } from '../../../core/follower.ts';
import progressCsv from './progress-csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-progress-'));
const path = join(folder, 'progress.csv');
after(() => rmSync(folder, { recursive: true }));

let position: JsonObject | undefined;
async function read(text: string): Promise<readonly FollowedRecord[]> {
  writeFileSync(path, text);
  const all: FollowedRecord[] = [];
  for (;;) {
    const step = await progressCsv.read(path, position);
    assert.ok(step);
    position = step.position;
    all.push(...step.records);
    if (!step.hasMore) return all;
  }
}

test('a file rewritten with another column and another order gives only its new rows', async () => {
  position = undefined;
  const first = await read('TotalEnvSteps,Loss\r\n100,0.5\r\n200,nan\r\n');
  assert.deepEqual(first, [
    {
      number: 1,
      step: 100n,
      values: [
        ['TotalEnvSteps', 100],
        ['Loss', 0.5],
      ],
    },
    {
      number: 2,
      step: 200n,
      values: [
        ['TotalEnvSteps', 200],
        ['Loss', Number.NaN],
      ],
    },
  ]);
  assert.deepEqual(await read('Loss,KL,TotalEnvSteps\r\n0.5,,100\r\n'), [], 'being written');
  const second = await read('Loss,KL,TotalEnvSteps\r\n0.5,,100\r\nnan,,200\r\n0.4,0.01,300\r\n');
  assert.deepEqual(second, [
    {
      number: 3,
      step: 300n,
      values: [
        ['Loss', 0.4],
        ['KL', 0.01],
        ['TotalEnvSteps', 300],
      ],
    },
  ]);
});

test('columns that come with a second header are known from there on', async () => {
  position = undefined;
  const rows = await read('a,b\n1,2\na,b,c\n3,4,5\n');
  assert.deepEqual(
    rows.map(({ values }) => values.map(([name]) => name).join('')),
    ['ab', 'abc'],
  );
});

test('cells are what Python wrote, and gaps stay gaps', async () => {
  position = undefined;
  const [row] = await read(
    '\uFEFFa,b,c,d,e,f,timestamp\nTrue,,-inf,1e-07,"two\nlines, ""quoted""",text,1500000000.25\n',
  );
  assert.deepEqual(row?.values, [
    ['a', true],
    ['c', Number.NEGATIVE_INFINITY],
    ['d', 1e-7],
    ['e', 'two\nlines, "quoted"'],
    ['f', 'text'],
    ['timestamp', 1_500_000_000.25],
  ]);
  assert.deepEqual(row?.at, { ms: 1_500_000_000_250, ns: 1 });
});

test('rows that repeat are not taken for rows that were seen', async () => {
  position = undefined;
  await read('a,b\n0,0\n0,0\n');
  assert.equal((await read('a,b\n0,0\n0,0\n0,0\n')).length, 1);
  assert.equal((await read('a,b,c\n0,0,\n0,0,\n0,0,\n0,0,1\n')).length, 1);
});
