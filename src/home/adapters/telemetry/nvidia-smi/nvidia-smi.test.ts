import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Reading } from '../../../core/machine/telemetry-source.ts';
import { nvidiaSmiTelemetry, readGpus } from './nvidia-smi.ts';

const fixtures = join(process.cwd(), 'src/home/adapters/telemetry/nvidia-smi/fixtures');
const lines = (readings: readonly Reading[]) =>
  readings.map(({ group, label, value, unit }) =>
    `${label} ${group} ${JSON.stringify(value)} ${unit}`.trim(),
  );

async function sampler(t: TestContext, script: string, timeoutMs = 10_000) {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-nvidia-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const program = join(dir, 'nvidia-smi');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const opened = await nvidiaSmiTelemetry({ program, timeoutMs }).open();
  assert.ok(opened.state === 'open');
  return { program, sample: () => opened.sample() };
}

test('asks the question of the specification and reads one GPU', async (t) => {
  const { program, sample } = await sampler(
    t,
    `printf '%s\\n' "$@" > "$0.args"; cat '${fixtures}/one-gpu.csv'`,
  );
  assert.deepEqual(lines(await sample()), [
    '0 clocks.gr 300 MHz',
    '0 clocks.current.memory 405 MHz',
    '0 utilization.gpu 1 %',
    '0 utilization.memory 2 %',
    '0 memory.used 10 MiB',
    '0 pstate "P8"',
    '0 power.limit 250 W',
    '0 temperature.gpu 34',
    '0 fan.speed 23 %',
  ]);
  assert.equal(
    readFileSync(`${program}.args`, 'utf8'),
    '--format=csv\n--query-gpu=timestamp,clocks.gr,clocks.current.memory,utilization.gpu,utilization.memory,memory.used,pstate,power.limit,temperature.gpu,fan.speed\n',
  );
});

test('reads all GPUs and leaves out what they do not support', () => {
  const readings = lines(readGpus(readFileSync(join(fixtures, 'two-gpus.csv'), 'utf8')));
  assert.equal(readings.length, 8 + 7);
  assert.ok(readings.includes('0 power.limit 400 W'));
  assert.ok(readings.includes('1 clocks.gr 210 MHz'));
  assert.ok(!readings.some((line) => line.startsWith('1 power.limit') || line.includes('fan.speed')));
});

test('finds nothing in foreign output, and reads a line that was cut off as far as it goes', () => {
  assert.deepEqual(readGpus(''), []);
  assert.deepEqual(readGpus('No devices were found\n'), []);
  assert.deepEqual(lines(readGpus('2026/01/05, 300 MHz')), ['0 clocks.gr 300 MHz']);
});

test('keeps a text where a number is usual', () => {
  assert.deepEqual(lines(readGpus('2026/01/05, fast')), ['0 clocks.gr "fast"']);
});

test('gives the reason where there is no reading', async (t) => {
  const noDriver = await sampler(t, 'echo "NVIDIA-SMI has failed: no driver."; exit 9');
  await assert.rejects(noDriver.sample(), { message: 'exit code 9: NVIDIA-SMI has failed: no driver.' });
  const noDevices = await sampler(t, 'echo "No devices were found"');
  await assert.rejects(noDevices.sample(), { message: 'no reading in its output' });
});

test('gives up on a program that hangs', async (t) => {
  const { sample } = await sampler(t, 'sleep 600', 200);
  await assert.rejects(sample(), { message: 'no answer within 0.2 s' });
});

test('is missing without the program', async () => {
  const source = nvidiaSmiTelemetry({ searchPath: '/nonexistent' });
  assert.deepEqual(await source.open(), { state: 'missing', reason: 'not found' });
});
