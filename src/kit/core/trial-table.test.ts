import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampMs, timestampText } from './data-series.ts';
import {
  analyzeTable,
  combinations,
  describeTimes,
  readTable,
  summarizeTimes,
  tableRow,
  timesTree,
} from './trial-table.ts';

const HEADER = 'device,n,rep,run,time\r\n';
const ROWS = 'cpu,1,0,2,0.5\r\ncpu,1,0,3,1.5\r\ncpu,1,1,2,4\r\ncpu,2,0,2,9\r\ngpu,1,0,2,7\r\n';
const query = { origin: 't.csv', parameterNames: ['device', 'n'], match: { device: 'cpu', n: 1 }, reps: 2 };

test('rows are separated by CRLF and quoted where they must be', () => {
  assert.equal(tableRow(['a', 1, true, 'x,y', 'say "hi"']), 'a,1,true,"x,y","say ""hi"""\r\n');
  assert.deepEqual(readTable('a,"x,""y""\nz"\r\n\r\n1,\n'), [
    ['a', 'x,"y"\nz'],
    ['1', ''],
  ]);
  assert.throws(() => readTable('a,"b\n'), { code: 'KIT_TRIALS' });
});

test('the last parameter is the fastest', () => {
  assert.deepEqual(
    [
      ...combinations([
        ['a', 'b'],
        [1, 2],
      ]),
    ],
    [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['b', 2],
    ],
  );
  assert.deepEqual([...combinations([])], [[]]);
});

test('mean, median and deviation of the population, with and without a header', () => {
  const summary = analyzeTable(HEADER + ROWS, query);
  assert.deepEqual(summary, { mean: 2, median: 1.5, std: Math.sqrt((2.25 + 0.25 + 4) / 3) });
  assert.deepEqual(analyzeTable(ROWS, query), summary);
  assert.deepEqual(analyzeTable(ROWS, { ...query, reps: 1 }), { mean: 1, median: 1, std: 0.5 });
});

test('no row, no such column and a time that is none are failures that say so', () => {
  assert.throws(
    () => analyzeTable(ROWS, { ...query, match: { device: 'tpu' } }),
    /t\.csv has no row with device=tpu/,
  );
  assert.throws(
    () => analyzeTable(ROWS, { ...query, match: { size: 1 } }),
    /no column "size": it has device, n, rep/,
  );
  assert.throws(() => analyzeTable(`${ROWS}cpu,1,0,9,soon\r\n`, query), /t\.csv:6: "soon" is not a time/);
});

test('a table becomes a tree of means with details, and lines for people', () => {
  const tree = timesTree(HEADER + ROWS);
  assert.deepEqual(tree['cpu'], { '1': 2, '2': 9 });
  assert.deepEqual(tree['detailed'], {
    cpu: { '1': { ...summarizeTimes([0.5, 1.5, 4]) }, '2': { mean: 9, median: 9, std: 0 } },
    gpu: { '1': { mean: 7, median: 7, std: 0 } },
  });
  assert.deepEqual(describeTimes(tree), [
    'cpu, 1: 2000.000 ms',
    'cpu, 2: 9000.000 ms',
    'gpu, 1: 7000.000 ms',
  ]);
  assert.deepEqual(timesTree('rep,run,time\r\n0,1,3\r\n')['time'], 3);
  assert.deepEqual(timesTree(HEADER), {});
});

test('timestamps order nights of different years; what is none is not a number', () => {
  assert.equal(timestampText({ year: 2026, month: 1, day: 31, hour: 2, minute: 5 }), '01-31-2026-0205');
  assert.ok(timestampMs('12-31-2025-2359') < timestampMs('01-01-2026-0000'));
  for (const text of ['', '13-01-2026-0000', '02-30-2026-0000', '01-01-2026-2400', 5])
    assert.ok(Number.isNaN(timestampMs(text)));
});
