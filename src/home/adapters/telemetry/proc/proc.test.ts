import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Reading } from '../../../core/machine/telemetry-source.ts';
import { procTelemetry } from './proc.ts';

const recorded = join(process.cwd(), 'src/home/adapters/telemetry/proc/fixtures/server');

/** A copy of the recorded /proc and /sys, and a clock that stands still. */
async function harness(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-proc-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  cpSync(recorded, root, { recursive: true });
  const clock = { ms: 0 };
  const opened = await procTelemetry({ root, nowMs: () => clock.ms }).open();
  assert.ok(opened.state === 'open');
  const put = (path: string, text: string) => writeFileSync(join(root, path), text);
  return { root, clock, put, sample: () => opened.sample() };
}

const lines = (readings: readonly Reading[], group: string) =>
  readings.filter((it) => it.group === group).map((it) => `${it.label} ${it.value} ${it.unit}`.trim());

test('reads memory, load, frequency and pressure', async (t) => {
  const { sample } = await harness(t);
  const readings = await sample();
  assert.deepEqual(lines(readings, 'proc-memory'), [
    'total 25274793984 bytes',
    'available 24871313408 bytes',
    'used 403480576 bytes',
    'swap-used 131072 bytes',
  ]);
  assert.deepEqual(lines(readings, 'proc-load'), ['1min 0.53', '5min 0.21', '15min 0.13', 'running 3']);
  assert.deepEqual(lines(readings, 'proc-frequency'), ['cpu0 3400 MHz', 'cpu1 1200.5 MHz', 'cpu10 3500 MHz']);
  assert.deepEqual(lines(readings, 'proc-pressure'), [
    'cpu-some 2.27 %',
    'cpu-full 0 %',
    'io-some 0.51 %',
    'io-full 0.37 %',
  ]);
});

test('gives shares of the CPU time since the sample before, and none with the first', async (t) => {
  const { sample, put } = await harness(t);
  assert.deepEqual(lines(await sample(), 'proc-cpu'), []);
  // +50 user, +25 idle, -5 iowait (counts as none), +25 steal
  put('proc/stat', 'cpu  6412 10 4885 239608 2060 5 110 396 100 0\ncpu0 1 1 1 1\n');
  assert.deepEqual(lines(await sample(), 'proc-cpu'), [
    'user 50 %',
    'nice 0 %',
    'system 0 %',
    'idle 25 %',
    'iowait 0 %',
    'irq 0 %',
    'softirq 0 %',
    'steal 25 %',
  ]);
  assert.deepEqual(lines(await sample(), 'proc-cpu'), [], 'no tick went by');
});

test('gives bytes per second of whole disks and real links', async (t) => {
  const { sample, put, clock } = await harness(t);
  assert.deepEqual(lines(await sample(), 'proc-disk'), []);
  clock.ms = 2000;
  put(
    'proc/diskstats',
    ' 254 0 vda 5000 10 200004 900 3000 20 400008 700 0\n 259 0 nvme0n1 0 0 0 0 0 0 0 0 0\n',
  );
  put('proc/net/dev', 'h\nh\n  lo: 9 0 0 0 0 0 0 0 9 0\neth0:1000500 0 0 0 0 0 0 0 500100 0 0\n');
  const readings = await sample();
  assert.deepEqual(lines(readings, 'proc-disk'), ['vda-read 1024 bytes/s', 'vda-written 2048 bytes/s']);
  assert.deepEqual(lines(readings, 'proc-net'), ['eth0-received 250 bytes/s', 'eth0-sent 50 bytes/s']);
});

test('takes frequencies from cpuinfo where there is no cpufreq', async (t) => {
  const { root, sample } = await harness(t);
  rmSync(join(root, 'sys'), { recursive: true });
  assert.deepEqual(lines(await sample(), 'proc-frequency'), ['cpu0 2445.424 MHz', 'cpu1 2500.001 MHz']);
});

test('leaves out what is missing, broken or empty and goes on', async (t) => {
  const { root, put, sample } = await harness(t);
  rmSync(join(root, 'proc/pressure'), { recursive: true });
  put('proc/meminfo', 'MemTotal: lots\n\0\0\0');
  put('proc/diskstats', '');
  put('proc/net/dev', ':::\n|||\n');
  put('sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq', '<unknown>\n');
  rmSync(join(root, 'proc/stat'));
  mkdirSync(join(root, 'proc/stat')); // a folder in its place: EISDIR
  const readings = await sample();
  assert.deepEqual([...new Set(readings.map(({ group }) => group))], ['proc-load', 'proc-frequency']);
  assert.deepEqual(lines(readings, 'proc-frequency'), ['cpu0 3400 MHz', 'cpu10 3500 MHz']);
});
