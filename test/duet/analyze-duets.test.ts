import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readIterationTable } from '../../src/duet/app/analyze-duets.ts';
import type { DuetIterations } from '../../src/duet/core/duet-iterations.ts';
import type { Format } from '../../src/formats/core/format.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { loadAll } from '../../src/platform/cli/adapters.ts';
import { runInProcess } from '../support/in-process.ts';

const GOLDEN = join(process.cwd(), 'test/golden/duet');
const root = mkdtempSync(join(tmpdir(), 'nightmark-duet-table-'));
after(() => rmSync(root, { recursive: true, force: true }));
const formats = await loadAll<Format>('formats');
const { signal } = new AbortController();

function read(path: string) {
  return readIterationTable(path, { disk: localDisk, clock: systemClock, formats, signal });
}

function readText(text: string | Buffer) {
  const file = join(mkdtempSync(join(root, 'text-')), 'table.csv');
  writeFileSync(file, text);
  return read(file);
}

/** Sorted, so that the order of the files does not count. */
function byName(runs: readonly DuetIterations[]): readonly DuetIterations[] {
  const keyOf = ({ suite, benchmark, type, runid }: DuetIterations) =>
    `${suite} ${benchmark} ${type} ${runid}`;
  return [...runs].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const HEADER =
  'suite,benchmark,type,order,pair,runid,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns';

test('a folder, and the table that was made of it, are the same runs', async () => {
  const dir = join(GOLDEN, 'results.tiny');
  const file = join(root, 'tiny.csv');
  await runInProcess(['duet', 'process', dir, '-o', file]);
  const [folder, table] = [await read(dir), await read(file)];
  assert.deepEqual(folder.notes, []);
  assert.deepEqual(byName(table.runs), byName(folder.runs));
  assert.equal(folder.runs.length, 8);
  const chi = folder.runs.find(
    (run) => run.benchmark === 'chi-square' && run.type === 'duet' && run.runid === 0,
  );
  assert.equal(chi?.originNs, 1794769623745_000_000n + 10671000n);
  assert.deepEqual(
    [chi?.environment, chi?.order, chi?.A?.starts?.[0], chi?.A?.times[0]],
    ['vm', 'AB', 0, 204691000],
  );
  // The other side began later, by what the two virtual machines and uptimes say.
  assert.equal(chi?.B?.starts?.[0], (1794769623819 - 1794769623745) * 1e6 + 3417000 - 10671000);
});

test("the original's table is read, its doubles as doubles, None orders and all", async () => {
  const [exact, original] = [
    await read(join(GOLDEN, 'results.tiny')),
    await read(join(GOLDEN, 'parsed.tiny.csv')),
  ];
  assert.deepEqual(original.notes, []);
  const [ours, theirs] = [byName(exact.runs), byName(original.runs)];
  assert.equal(theirs.length, ours.length);
  for (const [index, run] of theirs.entries()) {
    const mine = ours[index] ?? assert.fail('there is no such run');
    assert.deepEqual([run.order, run.environment, run.runid], [mine.order, mine.environment, mine.runid]);
    for (const side of ['A', 'B'] as const) {
      assert.deepEqual(run[side]?.numbers, mine[side]?.numbers);
      assert.deepEqual(run[side]?.times, mine[side]?.times);
      for (const [at, start] of (run[side]?.starts ?? []).entries()) {
        const off = run.originNs + BigInt(start) - mine.originNs - BigInt(mine[side]?.starts?.[at] ?? 0);
        assert.ok(off >= -256n && off <= 256n, `off by ${off}`);
      }
    }
  }
  const first = theirs.find(
    (run) => run.benchmark === 'chi-square' && run.type === 'duet' && run.runid === 0,
  );
  assert.equal(first?.originNs, BigInt(1.794769623755671e18));
});

test('nanoseconds are kept to the last one, rows are sorted by their starts', async () => {
  const { runs, notes } = await readText(
    `${HEADER}\nx,b,duet,AB,A,0,1,1794769623745000999,1794769623745001999,1000\n` +
      'x,b,duet,AB,A,0,0,1794769623745000001,1794769623745000998,997\nx,b,duet,AB,B,0,0,1794769623745000000,1794769623745000003,3\n',
  );
  assert.deepEqual(notes, []);
  assert.deepEqual(runs, [
    {
      environment: 'table',
      suite: 'x',
      benchmark: 'b',
      type: 'duet',
      runid: 0,
      order: 'AB',
      originNs: 1794769623745000000n,
      A: {
        numbers: Int32Array.of(0, 1),
        starts: Float64Array.of(1, 999),
        ends: Float64Array.of(998, 1999),
        times: Float64Array.of(997, 1000),
      },
      B: {
        numbers: Int32Array.of(0),
        starts: Float64Array.of(0),
        ends: Float64Array.of(3),
        times: Float64Array.of(3),
      },
    },
  ]);
});

test('columns in any order, quoted, unknown and missing ones; runs without timestamps', async () => {
  const { runs, notes } = await readText(
    '\uFEFF"iteration_time_ns",note,pair,benchmark,iteration,runid\r\n5.0,"two\nlines, ""q""",B,"b, é",3,7.0\r\n\r\n4,,A,"b, é",2,7\r\n',
  );
  assert.deepEqual(notes, []);
  assert.deepEqual(
    runs.map(({ benchmark, suite, type, order, runid, A, B }) => [
      benchmark,
      suite,
      type,
      order,
      runid,
      A?.times[0],
      B?.starts,
    ]),
    [['b, é', '', 'duet', 'None', 7, 4, undefined]],
  );
});

test('rows that cannot be read are counted, with their lines', async () => {
  const rows = [
    'x,b,duet,AB,A,0,0,1000,2000,1000',
    'x,b,duet,AB,C,0,0,1000,2000,1000',
    'x,b,duet,AB,A,0,0,1000,2000,fast',
    'x,b,duet,AB,A,0,-1,1000,2000,1000',
    'x,b,dutt,AB,A,0,0,1000,2000,1000',
    'x,b,duet,AB,A,0,1,soon,2000,1000',
    'x,b,duet,AB',
    'x,b,duet,AB,A,zero,1,1000,2000,1000',
    'x,b,duet,AB,A,0,1,1794769623745000999,2000,1000',
    'x,b,duet,AB,A,0,2,"1000"x,2000,1000',
    'x,b,duet,AB,A,0,3,3000,4000,1000',
  ];
  const { runs, notes } = await readText(`${HEADER}\n${rows.join('\n')}\n`);
  assert.deepEqual(runs[0]?.A?.numbers, Int32Array.of(0, 3));
  assert.deepEqual(
    notes.map((note) => note.replace(/^.*table\.csv/, '')),
    [
      ', line 3: "pair" is "C", neither A nor B',
      ', line 4: "iteration_time_ns" is "fast", not a time',
      ', line 5: "iteration" is "-1", not a whole number',
      ', line 6: "type" is "dutt", none of duet, syncduet, seqn, sequential',
      ', line 7: "iteration_start_ns" is "soon", not a timestamp within 104 days of its run',
      ': 4 more rows could not be read',
    ],
  );
});

test('runs of one number are two runs where artifacts or folders differ', async () => {
  const { runs } = await readText(
    `${HEADER},date,hostname\n` +
      ['mon,h', 'tue,h', 'mon,g', 'mon,h'].map((place) => `x,b,duet,AB,A,0,0,1,2,1,${place}\n`).join(''),
  );
  assert.deepEqual(
    runs.map(({ environment, A }) => [environment, A?.times.length]),
    [
      ['h', 2],
      ['h', 1],
      ['g', 1],
    ],
  );
});

test('two folders in one table stay two sets of runs', async () => {
  const dirs = ['one', 'two'].map((name) => join(root, name));
  for (const dir of dirs) cpSync(join(GOLDEN, 'results.tiny'), dir, { recursive: true });
  const file = join(root, 'both.csv');
  await runInProcess(['duet', 'process', ...dirs, '-o', file]);
  assert.equal((await read(file)).runs.length, 16);
});

test('rows that arrive in pieces, whatever the order of A and B, are all there', async () => {
  const count = 60_000;
  const row = (index: number) =>
    `x,b,duet,AB,${index % 2 ? 'B' : 'A'},${index % 3},${index},${1794769623745000000n + BigInt(index)},,${index + 1},"a ""quoted"", cell"`;
  const text = `${HEADER},note\n${Array.from({ length: count }, (_, index) => row(index)).join('\n')}`;
  const { runs, notes } = await readText(text);
  assert.deepEqual(notes, []);
  const times = runs.flatMap(({ A, B }) => [...(A?.times ?? []), ...(B?.times ?? [])]);
  assert.equal(times.length, count);
  assert.equal(
    times.reduce((sum, time) => sum + time, 0),
    (count * (count + 1)) / 2,
  );
  assert.deepEqual(runs[0]?.A?.ends?.slice(0, 2), Float64Array.of(1, 13));
});

test('a file that is no table, and one that is not there, are refused with what to do', async () => {
  await assert.rejects(readText('a,b\n1,2\n'), { code: 'DUET_NO_TABLE' });
  await assert.rejects(readText(''), { code: 'DUET_NO_TABLE' });
  await assert.rejects(read(join(root, 'none.csv')), { code: 'DUET_NO_RESULTS' });
  const { runs, notes } = await readText(
    Buffer.concat([Buffer.from(`${HEADER}\n"`), Buffer.alloc(100_000, 97)]),
  );
  assert.deepEqual([runs.length, notes.length], [0, 1]);
});

test('what cannot be read in a folder is reported as a note', async () => {
  const { runs, notes } = await read(join(GOLDEN, 'results.formats'));
  assert.equal(runs.length, 4);
  assert.ok(notes.some((note) => note.includes('renaissance.broken')));
  assert.equal(notes.length, 4);
});
