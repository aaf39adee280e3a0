import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNoise, type NoisePlan } from './find-noise.ts';
import type { NoiseReading } from './machine-probe.ts';

/** A server at rest, set up for measurements. */
const quiet: NoiseReading = {
  atMs: 1_000,
  cpus: [0, 1, 2, 3],
  siblings: [],
  governors: ['performance'],
  turbo: { state: 'off', file: '/sys/devices/system/cpu/intel_pstate/no_turbo', off: '1' },
  power: { isOnBattery: false },
  frequency: { currentMhz: 2_500, limitMhz: 2_500 },
  ticks: { total: 1_000, steal: 10 },
  load: { average: 0.1, running: 0 },
  waitedUs: 5_000,
  throttled: 7,
  quota: { throttledTimes: 3, throttledUs: 900 },
};
/** Ten seconds later, nothing happened. */
const later: NoiseReading = { ...quiet, atMs: 11_000, ticks: { total: 5_000, steal: 12 }, waitedUs: 55_000 };
const together: NoisePlan = { mode: 'together' };

const found = (before: NoiseReading, after: NoiseReading | undefined, plan = together) =>
  findNoise(before, after, plan).map(({ kind, text, hint }) => `${kind}: ${text} ${hint}`);

test('finds nothing on a quiet machine, and nothing where a machine has no facts', () => {
  assert.deepEqual(found(quiet, later), []);
  assert.deepEqual(found({ atMs: 0 }, { atMs: 1 }), []);
  assert.deepEqual(found(quiet, { atMs: 11_000 }), []);
  assert.deepEqual(found({ atMs: 1_000 }, later), []);
});

test('names governor, turbo and power with the command that mends them', () => {
  const noisy: NoiseReading = {
    ...quiet,
    governors: ['ondemand', 'performance', 'powersave'],
    turbo: { state: 'on', file: '/sys/devices/system/cpu/cpufreq/boost', off: '0' },
    power: { isOnBattery: true, savingProfile: 'low-power' },
  };
  assert.deepEqual(found(noisy, undefined), [
    'governor: The CPU governor is ondemand and powersave: the frequency follows the load. sudo cpupower frequency-set -g performance',
    'turbo: Turbo is on: the frequency depends on heat and on how many cores are busy. echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
    'power: The machine runs on battery. Plug it in.',
  ]);
  const saving = { ...quiet, power: { isOnBattery: false, savingProfile: 'quiet' } };
  assert.deepEqual(found(saving, undefined), [
    'power: The power profile is quiet. powerprofilesctl set performance',
  ]);
});

test('warns when a pair has too few cores, and not when the sides take turns', () => {
  const single = { ...quiet, cpus: [3] };
  assert.match(found(single, undefined).join(), /^few-cores: Both sides share one CPU.* Use --alternate/);
  assert.deepEqual(found(single, undefined, { mode: 'alternate' }), []);
});

test('sees sides on two threads of one core', () => {
  const smt = {
    ...quiet,
    siblings: [
      [0, 2],
      [1, 3],
    ],
  };
  assert.match(found(smt, undefined).join(), /^smt: SMT is on: .* Use --pin, or /);
  const pinned = (A: readonly number[], B: readonly number[]): NoisePlan => ({
    ...together,
    pinning: { A, B },
  });
  assert.match(
    found(smt, undefined, pinned([0, 1], [2, 3])).join(),
    /^smt: The sides are pinned to threads of the same core \(CPUs 0 and 2\)/,
  );
  assert.deepEqual(found(smt, undefined, pinned([0, 2], [1, 3])), []);
  assert.deepEqual(found(smt, undefined, { mode: 'alternate' }), []);
  const one = { ...quiet, cpus: [0, 1], siblings: [[0, 1]] };
  assert.match(found(one, undefined).join(), /^smt: Both sides share one physical core \(CPUs 0 and 1/);
});

test('calls a machine busy when it is so now and was so in the last minute', () => {
  const load = (average: number, running: number) => ({ ...quiet, load: { average, running } });
  assert.match(found(load(3.456, 4), undefined).join(), /^load: The machine is busy: load 3.46 on 4 CPUs/);
  assert.deepEqual(found(load(3.456, 0), undefined), [], 'what ran has just ended');
  assert.deepEqual(found(load(0.4, 9), undefined), [], 'a blip');
  assert.deepEqual(found(load(1.9, 2), undefined), [], 'two CPUs are left for the pair');
  assert.deepEqual(found(load(2.9, 3), undefined, { mode: 'alternate' }), []);
});

test('reports stolen time as its share of the comparison', () => {
  const stolen = { ...later, ticks: { total: 5_000, steal: 210 } };
  assert.match(found(quiet, stolen).join(), /^steal: Other virtual machines took 5.0 % of the CPU time/);
  assert.deepEqual(found(quiet, { ...later, ticks: { total: 5_000, steal: 50 } }), [], 'one in a hundred');
  assert.deepEqual(found(quiet, { ...later, ticks: quiet.ticks ?? assert.fail() }), [], 'no tick went by');
});

test('counts what happened during the comparison, not before it', () => {
  assert.match(
    found(quiet, { ...later, throttled: 9 }).join(),
    /^throttling: CPUs were slowed down for their heat 2 times/,
  );
  assert.match(
    found(quiet, { ...later, quota: { throttledTimes: 4, throttledUs: 42_900 } }).join(),
    /^quota: The CPU limit of this container stopped the commands 1 time \(42 ms\)/,
  );
  assert.match(
    found(quiet, { ...later, waitedUs: 3_005_000 }).join(),
    /^waiting: Something waited for a CPU 30 % of the time/,
  );
  assert.deepEqual(found(quiet, { ...later, waitedUs: 905_000 }), []);
});

test('warns when the CPU limit of a container is too small for the pair', () => {
  const small = { ...quiet, quota: { cpus: 1.5, throttledTimes: 0, throttledUs: 0 } };
  assert.match(found(small, undefined).join(), /^quota: CPU time is limited to 1.5 CPUs; .* needs 2/);
  assert.deepEqual(found(small, undefined, { mode: 'alternate' }), []);
});

test('sees a frequency that moved, where the governor should have held it', () => {
  const at = (currentMhz: number, limitMhz = 2_500) => ({ ...later, frequency: { currentMhz, limitMhz } });
  assert.match(found(quiet, at(2_000)).join(), /^frequency: The CPU frequency moved from 2500 to 2000 MHz/);
  assert.deepEqual(found(quiet, at(2_300)), []);
  assert.match(
    found(quiet, at(2_500, 1_800)).join(),
    /^frequency: The limit of the CPU frequency moved from 2500 to 1800 MHz/,
  );
  const kinds = findNoise({ ...quiet, governors: ['schedutil'] }, at(800), together).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['governor'], 'an idle CPU is slow with any other governor');
});

test('asks guests to run the sides together', () => {
  const guest = { ...quiet, virtualization: 'QEMU' };
  assert.deepEqual(found(guest, undefined), []);
  assert.match(found(guest, undefined, { mode: 'one-after-another' }).join(), /QEMU.* Use --together/);
});
