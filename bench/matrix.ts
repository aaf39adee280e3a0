// Parsing a tree of result directories: cold, warm, and with one test changed, against a plain loop that only reads the same
// files. Each is a process of its own; rounds alternate.
// Run: node dist/bench/matrix.js [directories] [rounds]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/stats/random.ts';
import { median } from '../src/stats/summary.ts';

const TESTS = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const MAIN = 'dist/src/cli/nightmark.cjs';
const WORKLOAD = 'dist/test/support/tiny-workload.js';
/** Prints peak memory and processor time of the process that it is loaded into: the latter is good on a busy machine too. */
const PEAK =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();' +
  'console.error("peak "+u.maxRSS+" cpu "+(u.userCPUTime+u.systemCPUTime))})';
/** The files that the workload looks at, read one after the other as text and forgotten. */
const LOOP = `
const fs = require('node:fs');
const root = process.argv[1];
let bytes = 0;
for (const group of fs.readdirSync(root).filter((name) => name.startsWith('g')))
  for (const test of fs.readdirSync(root + '/' + group)) {
    const dir = root + '/' + group + '/' + test;
    for (const file of ['settings.yaml', 'exit_code', '.uuid', 'config.yaml', '000__run/result.json'])
      bytes += fs.readFileSync(dir + '/' + file, 'utf8').length;
  }
console.error(bytes);
`;

const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-matrix-'));
try {
  makeTree(root, TESTS);
  measure();
} finally {
  rmSync(root, { recursive: true });
}

function measure(): void {
  const cache = join(root, '.nightmark');
  const seconds: Record<string, number[]> = {};
  const cpu: Record<string, number[]> = {};
  const peaks: Record<string, number> = {};
  const time = (name: string, args: readonly string[]) => {
    const start = performance.now();
    const ran = spawnSync(process.execPath, ['--import', PEAK, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    seconds[name] = [...(seconds[name] ?? []), (performance.now() - start) / 1000];
    if (ran.status !== 0) throw new Error(`${name}: ${ran.stderr}`);
    cpu[name] = [...(cpu[name] ?? []), Number(/cpu (\d+)/.exec(ran.stderr)?.[1]) / 1e6];
    peaks[name] = Math.max(peaks[name] ?? 0, Number(/peak (\d+)/.exec(ran.stderr)?.[1]));
  };
  const parse = [MAIN, 'matrix', 'parse', root, '--workload', WORKLOAD];
  time('before', ['-e', LOOP, root]); // fills the cache of the system for all sides alike
  for (let round = 0; round < ROUNDS; round++) {
    rmSync(cache, { recursive: true, force: true });
    time('plain loop', ['-e', LOOP, root]);
    time('cold', parse);
    time('warm', parse);
    writeFileSync(join(root, 'g0/t0/000__run/result.json'), result(seededRandom(100 + round)));
    time('one changed', parse);
    time('warm, JSON', [...parse, '-o', join(root, 'out.json')]);
    time('no cache', [...parse, '--no-cache']);
  }
  for (const [name, all] of Object.entries(seconds)) {
    const times = all.map((it) => it.toFixed(2)).join(', ');
    const work = cpu[name]?.map((it) => it.toFixed(2)).join(', ');
    console.log(
      `${name}: ${times} s, processor ${work} s, peak memory ${Math.round((peaks[name] ?? 0) / 1024)} MiB`,
    );
  }
  const ratios = (cpu['warm'] ?? []).map((it, round) => it / (cpu['cold']?.[round] ?? Number.NaN));
  const sorted = ratios.sort((a, b) => a - b);
  console.log(
    `${TESTS.toLocaleString('en')} directories: warm takes, of the processor, ${median(sorted).toFixed(3)} of cold ` +
      `(${sorted[0]?.toFixed(3)} to ${sorted.at(-1)?.toFixed(3)}, ${ROUNDS} rounds; aim: at most 0.2)`,
  );
}

/** Tests as a year of nights leaves them: a few settings, a configuration of 30 lines, a result with 200 samples. */
function makeTree(dir: string, tests: number): void {
  const random = seededRandom(7);
  const longAgo = new Date('2026-01-05T03:00:00Z');
  for (let test = 0; test < tests; test++) {
    const path = join(dir, `g${Math.floor(test / 1000)}`, `t${test % 1000}`);
    mkdirSync(join(path, '000__run'), { recursive: true });
    const files = {
      'settings.yaml': `model: m${test % 10}\nusers: ${2 ** (test % 8)}\nversion: 1.${test % 50}.0\nnight: ${test}\n`,
      exit_code: '0\n',
      '.uuid': `00000000-0000-4000-8000-${String(test).padStart(12, '0')}\n`,
      'config.yaml': config(test),
      '000__run/result.json': result(random),
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(path, name), text);
      utimesSync(join(path, name), longAgo, longAgo);
    }
  }
}

function config(test: number): string {
  const parts = Array.from(
    { length: 10 },
    (_, at) => `part_${at}:\n  name: "value ${at}"\n  size: ${at + test}\n`,
  );
  return parts.join('');
}

function result(random: () => number): string {
  const samples = Array.from({ length: 200 }, () => Number((random() * 100).toFixed(3)));
  const [start, end] = ['2024-09-02T10:00:00', '2024-09-02T10:05:00'];
  return JSON.stringify(
    { throughput: 100 * random(), memory_mb: 2048, samples, run_id: 'r', start, end },
    null,
    1,
  );
}
