import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { runInProcess } from '../support/in-process.ts';

const GOLDEN = join(process.cwd(), 'test/golden/duet');
const root = mkdtempSync(join(tmpdir(), 'nightmark-duet-process-'));
after(() => rmSync(root, { recursive: true, force: true }));

type Row = Readonly<Record<string, string>>;

/** Rows as texts that do not depend on the order of rows and columns. */
function asSet(csv: string): readonly string[] {
  const rows: Row[] = parse(csv, { columns: true });
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

async function process_(dir: string, ...more: readonly string[]) {
  const ran = await runInProcess(['duet', 'process', dir, '-o', '-', ...more], { cwd: root });
  const rows: Row[] = ran.code === 0 && !more.includes('--json') ? parse(ran.stdout, { columns: true }) : [];
  return { ...ran, rows };
}

/** A copy of golden results that may be changed. */
function copyOf(name: string): string {
  const dir = mkdtempSync(join(root, 'results-'));
  cpSync(join(GOLDEN, name), dir, { recursive: true });
  return dir;
}

for (const name of ['formats', 'tiny']) {
  test(`the original's table of results.${name} comes out with --compat, cell by cell`, async () => {
    const { stdout, code } = await process_(join(GOLDEN, `results.${name}`), '--compat');
    assert.equal(code, 0);
    assert.deepEqual(asSet(stdout), asSet(readFileSync(join(GOLDEN, `parsed.${name}.csv`), 'utf8')));
  });

  test(`the exact table of results.${name} is the original's before its timestamps were rounded`, async () => {
    const { rows } = await process_(join(GOLDEN, `results.${name}`));
    const original: Row[] = parse(readFileSync(join(GOLDEN, `parsed.${name}.csv`)), { columns: true });
    const keyOf = ({ suite, benchmark, type, pair, runid, iteration }: Row) =>
      [suite, benchmark, type, pair, runid, iteration].join();
    const byKey = new Map(original.map((row) => [keyOf(row), row]));
    assert.equal(rows.length, original.length);
    for (const row of rows) {
      const theirs = byKey.get(keyOf(row)) ?? assert.fail(`${keyOf(row)} is not there`);
      for (const column of ['iteration_start_ns', 'iteration_end_ns']) {
        const off = BigInt(row[column] ?? '') - BigInt(Number(theirs[column]));
        assert.ok(off >= -512n && off <= 512n, `${column} of ${keyOf(row)} is off by ${off}`);
      }
      assert.equal(
        BigInt(row['iteration_end_ns'] ?? '') - BigInt(row['iteration_start_ns'] ?? ''),
        BigInt(row['iteration_time_ns'] ?? ''),
      );
      for (const column of ['order', 'date', 'hostname', 'uname', 'lscpu', 'meminfo'])
        assert.equal(row[column], theirs[column]);
    }
  });
}

test('case 17: nine rows; broken JSON, unknown suite and stray file are named, a line each', async () => {
  for (const more of [[], ['--compat']]) {
    const { rows, stderr } = await process_(join(GOLDEN, 'results.formats'), ...more);
    assert.equal(rows.length, 9);
    for (const name of [
      'renaissance.broken.0.duet.AB.A.results.json',
      'mystery.b.0.duet.AB.A.out',
      'notmatching.txt',
    ])
      assert.equal(stderr.split('\n').filter((line) => line.includes(name)).length, 1, name);
    assert.match(stderr, /9 iterations of 4 files; 2 files could not be read; 1 other entry left out/);
  }
});

test('case 17: --json names them too, and the rows are a list of objects with exact numbers', async () => {
  const file = join(root, 'formats.json');
  const dir = join(GOLDEN, 'results.formats');
  const { stdout } = await runInProcess(['duet', 'process', `${dir}/`, '--json', '-o', file]);
  const report = JSON.parse(stdout) as { failedFiles: number; strays: number; problems: { kind: string }[] };
  assert.deepEqual([report.failedFiles, report.strays], [2, 1]);
  assert.deepEqual(
    report.problems.map(({ kind }) => kind),
    ['file', 'file', 'note', 'stray'],
  );
  const text = readFileSync(file, 'utf8');
  assert.match(text, /"iteration":0,"iteration_start_ns":1652636051108000111,/);
  const rows = JSON.parse(text) as Record<string, unknown>[];
  assert.equal(rows.length, 9);
  assert.deepEqual([rows[0]?.['start_unix'], rows[0]?.['total_ms'], rows[0]?.['order']], [null, 1000, 'AB']);
});

test('case 18: Renaissance counts from 0 and is exact, DaCapo counts from 1', async () => {
  const { rows } = await process_(join(GOLDEN, 'results.formats'));
  const of = (suite: string) => rows.filter((row) => row['suite'] === suite);
  assert.equal(of('renaissance')[0]?.['iteration_start_ns'], String(1652636049905_000_000n + 1203000111n));
  assert.deepEqual(
    ['renaissance', 'dacapo', 'scalabench', 'speccpu'].map((suite) => of(suite)[0]?.['iteration']),
    ['0', '1', '1', '0'],
  );
});

test('case 19: without start_unix the start is the date artifact plus total_ms', async () => {
  const { rows, stderr } = await process_(join(GOLDEN, 'results.formats'));
  const began = BigInt(Date.UTC(2022, 5, 26, 16, 57, 57)) * 1_000_000n;
  const starts = rows.filter(({ suite }) => suite === 'dacapo').map((row) => row['iteration_start_ns']);
  assert.deepEqual(
    starts,
    [1000n, 1300n, 1600n].map((ms) => String(began + ms * 1_000_000n)),
  );
  assert.match(stderr, /1 file with timestamps counted from the start of the harness/);
});

test('case 20: two Rate pairs are two rows', async () => {
  const { rows } = await process_(join(GOLDEN, 'results.formats'));
  const spec = rows.filter(({ suite }) => suite === 'speccpu');
  assert.deepEqual(
    spec.map((row) => [row['iteration_start_ns'], row['iteration_time_ns']]),
    [
      ['1654092292283030000', '464893480000'],
      ['1654092760500000000', '460250000000'],
    ],
  );
});

test('case 20: a folder without one *002.log is a failure of that folder only', async () => {
  const dir = copyOf('results.formats');
  const spec = join(dir, 'speccpu.541_leela_r.0.duet.BA.A.result');
  writeFileSync(join(spec, 'OTHER.002.log'), 'x');
  const two = await process_(dir);
  assert.match(two.stderr, /541_leela_r.*folder with 2 files that end in 002\.log/);
  assert.equal(two.rows.length, 7);
  for (const log of ['OTHER.002.log', 'CPU2017.002.log']) rmSync(join(spec, log));
  const none = await process_(dir);
  assert.match(none.stderr, /541_leela_r.*folder with 0 files that end in 002\.log/);
  assert.equal(none.rows.length, 7);
});

test('case 20: a run killed in mid-iteration keeps its complete pairs; the original refuses it', async () => {
  const dir = copyOf('results.formats');
  const log = join(dir, 'speccpu.541_leela_r.0.duet.BA.A.result/CPU2017.002.log');
  writeFileSync(log, `${readFileSync(log, 'utf8')} Rate Start:   2022-06-01 14:21:00 (1654093260.5)\n`);
  const exact = await process_(dir);
  assert.equal(exact.rows.filter(({ suite }) => suite === 'speccpu').length, 2);
  assert.match(exact.stderr, /541_leela_r.*iteration 2 has a start and no end/);
  const compat = await process_(dir, '--compat');
  assert.equal(compat.rows.filter(({ suite }) => suite === 'speccpu').length, 0);
  assert.match(compat.stderr, /541_leela_r.*the original refuses it: iteration 2 has a start and no end/);
});

test('case 21: without the date artifact, or any artifact, rows still come', async () => {
  const dir = copyOf('results.formats');
  rmSync(join(dir, 'artifacts/date'));
  for (const more of [[], ['--compat']]) {
    const { rows, stderr } = await process_(dir, ...more);
    assert.equal(rows.length, 9);
    const [first] = rows.filter(({ suite }) => suite === 'dacapo');
    assert.equal(Number(first?.['iteration_start_ns']), 1e9);
    assert.match(stderr, /no usable artifact "date"/);
  }
  rmSync(join(dir, 'artifacts'), { recursive: true });
  assert.equal((await process_(dir)).rows.length, 9);
});

test('the documented columns come first, then those of harnesses, then artifacts, also unknown ones', async () => {
  const { stdout } = await process_(join(GOLDEN, 'results.formats'));
  assert.equal(
    stdout.split('\n')[0],
    'suite,benchmark,type,order,pair,runid,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns,' +
      'epoch_start_ms,uptime_ns,total_ms,start_unix,process_cpu_time_ns,compilation_time_ms,compilation_total_ms,' +
      'date,hostname,uname,lscpu,meminfo,unknownart',
  );
});

test('the same folder gives the same bytes, whatever its path looks like', async () => {
  const dir = copyOf('results.tiny');
  const first = await process_(dir);
  assert.equal((await process_(`${dir}/./`)).stdout, first.stdout);
});

test('results of unknown suites are read by whatever format recognises them, without timestamps', async () => {
  const dir = mkdtempSync(join(root, 'any-'));
  const hyperfine = { results: [{ command: 'ls', times: [0.25, 0.123456789], memory_usage_byte: [1, 2] }] };
  writeFileSync(join(dir, 'mine.ls.0.duet.AB.A.out.json'), JSON.stringify(hyperfine));
  writeFileSync(join(dir, 'mine.ls.0.duet.AB.B.out.csv'), 'name,time_ms\nls,1.5\nls,2\n');
  writeFileSync(join(dir, 'own.x.0.duet.BA.A.r.csv'), 'iteration_time_ns,start_unix,note\n5,7,"a, b"\n');
  writeFileSync(join(dir, 'own.x.0.duet.BA.B.r.csv'), 'count,size\n5,7\n');
  const { rows, stderr } = await process_(dir);
  assert.deepEqual(
    rows.map((row) => [
      row['pair'],
      row['iteration'],
      row['iteration_start_ns'],
      row['iteration_time_ns'],
      row['note'],
    ]),
    [
      ['A', '0', '', '250000000', ''],
      ['A', '1', '', '123456789', ''],
      ['B', '0', '', '1500000', ''],
      ['B', '1', '', '2000000', ''],
      ['A', '1', '7000000', '5', 'a, b'],
    ],
  );
  assert.match(
    stderr,
    /own\.x\.0\.duet\.BA\.B\.r\.csv: None of its numbers is recognised as a time: count, size/,
  );
});

test('rows that cannot be read are counted and named, and the others keep their numbers', async () => {
  const dir = mkdtempSync(join(root, 'rows-'));
  const text = 'benchmark,iteration_time_ns,start_unix\nx,10,1\nx,oops,2\nx,30,3\nx,40\n';
  writeFileSync(join(dir, 'dacapo.x.0.duet.AB.A.r.csv'), text);
  const { rows, stderr } = await process_(dir);
  assert.deepEqual(
    rows.map((row) => row['iteration']),
    ['1', '3'],
  );
  assert.match(stderr, /r\.csv: iteration 2: "iteration_time_ns" is "oops", not a number/);
  assert.match(stderr, /r\.csv: iteration 4: it has 2 cells for 3 columns/);
  assert.match(stderr, /2 iterations of 1 file; 2 iterations could not be read/);
});

test('older names: sequential, and those that say no suite, which comes from -c or the content', async () => {
  const dir = mkdtempSync(join(root, 'old-'));
  const source = join(GOLDEN, 'results.tiny');
  cpSync(
    join(source, 'renaissance.chi-square.0.duet.AB.A.results.json'),
    join(dir, 'chi-square.0.A.results.json'),
  );
  cpSync(
    join(source, 'dacapo.fop.0.seqn.None.B.results.csv'),
    join(dir, 'scalabench.fop.0.sequential.AB.B.results.csv'),
  );
  const { rows } = await process_(dir);
  const kinds = (list: readonly Row[]) => [
    ...new Set(list.map((row) => `${row['suite']} ${row['type']} ${row['order']}`)),
  ];
  assert.deepEqual(kinds(rows), ['renaissance duet None', 'scalabench seqn AB']);
  const config = join(dir, '..', 'old.duet.yml');
  const yml =
    'duetbench: {suite: renaissance, results: [/r], duets: [chi-square]}\nchi-square: {A: {run: x}}\n';
  writeFileSync(config, yml);
  const out = join(root, 'old-out');
  const ran = await runInProcess(['duet', 'process', '-c', config, '-o', out, dir]);
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(kinds(parse(readFileSync(`${out}.csv`), { columns: true })), [
    'renaissance duet None',
    'scalabench seqn AB',
  ]);
  assert.equal(existsSync(out), false);
});

test('the table is named after the folder, or results.csv; several folders are distinguished', async () => {
  const cwd = mkdtempSync(join(root, 'cwd-'));
  for (const name of ['one', 'two'])
    cpSync(join(GOLDEN, 'results.tiny'), join(cwd, name), { recursive: true });
  assert.match(
    (await runInProcess(['duet', 'process', 'one/'], { cwd })).stdout,
    /^one\.csv: 90 iterations of 16 files/,
  );
  await runInProcess(['duet', 'process', 'one', 'two'], { cwd });
  const rows: Row[] = parse(readFileSync(join(cwd, 'results.csv')), { columns: true });
  assert.equal(rows.filter(({ results }) => results === 'one').length, rows.length / 2);
  await runInProcess(['duet', 'process', '.', '--json'], { cwd: join(cwd, 'two') });
  assert.ok(existsSync(join(cwd, 'two/two.json')));
});

test('nothing is written where nothing can be read, and every refusal says what to do', async () => {
  const dir = mkdtempSync(join(root, 'empty-'));
  const out = join(root, 'nothing.csv');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[dir], /There is no iteration in .*\[DUET_NO_RESULTS\]/s],
    [[join(dir, 'none')], /There is no folder .*\[DUET_NO_FOLDER\]/s],
    [[dir, '--csv', '--json'], /\[CLI_INVALID_OPTION\]/],
    [[dir, '-c', join(dir, 'none.yml')], /\[DUET_NO_FILE\]/],
    [[dir, '--store', dir], /\[CLI_NO_HOME\]/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runInProcess(['duet', 'process', ...args, '-o', out]);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
  mkdirSync(join(dir, 'artifacts'));
  assert.equal(existsSync(out), false);
});
