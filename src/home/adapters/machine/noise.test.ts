import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { NoiseReading } from '../../core/machine/machine-probe.ts';
import { localMachine } from './local-machine.ts';
import { parseCpuList } from './noise.ts';

type Files = Readonly<Record<string, string>>;

/** A reading from files of our own; the moment is left out. */
async function noiseOf(t: TestContext, files: Files): Promise<Omit<NoiseReading, 'atMs'>> {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-noise-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { atMs, ...rest } = await localMachine({ root, env: {} }).noise();
  assert.ok(atMs > 0);
  return rest;
}

const CPU = 'sys/devices/system/cpu';
const each = (cpus: readonly number[], files: (cpu: number) => Files): Files =>
  Object.assign({}, ...cpus.map((cpu) => files(cpu))) as Files;

const laptop: Files = {
  'proc/self/status': 'Name:\tnode\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\nMems_allowed_list:\t0\n',
  [`${CPU}/online`]: '0-3\n',
  'proc/stat':
    'cpu  1000 0 0 0 0 0 0 99 0 0\ncpu0 10 1 2 80 3 0 1 3 5 0\ncpu1 20 0 0 80 0 0 0 0 0 0\ncpu2 0 0 0 100 0 0 0 0 0 0\ncpu3 0 0 0 99 0 0 0 1 0 0\nintr 1\n',
  'proc/loadavg': '1.25 0.80 0.40 3/412 4242\n',
  'proc/pressure/cpu':
    'some avg10=0.00 avg60=0.10 avg300=0.00 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n',
  ...each([0, 1, 2, 3], (cpu) => ({
    [`${CPU}/cpu${cpu}/topology/core_cpus_list`]: cpu % 2 === 0 ? '0,2\n' : '1,3\n',
    [`${CPU}/cpu${cpu}/cpufreq/scaling_governor`]: cpu === 3 ? 'performance\n' : 'powersave\n',
    [`${CPU}/cpu${cpu}/cpufreq/scaling_cur_freq`]: `${1_200_000 + cpu * 100_000}\n`,
    [`${CPU}/cpu${cpu}/cpufreq/scaling_max_freq`]: `${cpu === 1 ? 3_000_000 : 3_500_000}\n`,
    [`${CPU}/cpu${cpu}/thermal_throttle/core_throttle_count`]: `${cpu}\n`,
    [`${CPU}/cpu${cpu}/thermal_throttle/package_throttle_count`]: '40\n',
  })),
  [`${CPU}/intel_pstate/no_turbo`]: '0\n',
  'sys/class/power_supply/AC/type': 'Mains\n',
  'sys/class/power_supply/AC/online': '0\n',
  'sys/class/power_supply/BAT0/type': 'Battery\n',
  'sys/class/power_supply/BAT0/status': 'Discharging\n',
  'sys/class/power_supply/hidpp_battery_0/type': 'Battery\n',
  'sys/class/power_supply/hidpp_battery_0/scope': 'Device\n',
  'sys/class/power_supply/hidpp_battery_0/status': 'Discharging\n',
  'sys/firmware/acpi/platform_profile': 'low-power\n',
};

test('reads a laptop on battery', async (t) => {
  assert.deepEqual(await noiseOf(t, laptop), {
    cpus: [0, 1, 2, 3],
    siblings: [
      [0, 2],
      [1, 3],
    ],
    governors: ['performance', 'powersave'],
    turbo: { state: 'on', file: '/sys/devices/system/cpu/intel_pstate/no_turbo', off: '1' },
    power: { isOnBattery: true, savingProfile: 'low-power' },
    frequency: { currentMhz: 1_500, limitMhz: 3_000 },
    ticks: { total: 400, steal: 4 },
    load: { average: 1.25, running: 2 },
    waitedUs: 123_456,
    throttled: 46,
  });
});

test('takes into account only the CPUs that we may use', async (t) => {
  const held = await noiseOf(t, {
    ...laptop,
    'proc/self/status': 'Cpus_allowed_list:\t0-1,7\n',
    'sys/class/power_supply/AC/online': '1\n',
  });
  assert.deepEqual(held.cpus, [0, 1]);
  assert.deepEqual(held.siblings, []);
  assert.deepEqual(held.governors, ['powersave']);
  assert.deepEqual(held.ticks, { total: 200, steal: 3 });
  assert.equal(held.throttled, 41);
  assert.equal(held.power?.isOnBattery, false);
});

test('reads the boost switch of AMD', async (t) => {
  const { turbo } = await noiseOf(t, { [`${CPU}/cpufreq/boost`]: '1\n' });
  assert.deepEqual(turbo, { state: 'on', file: '/sys/devices/system/cpu/cpufreq/boost', off: '0' });
});

test('finds the tightest limit of a cgroup and those above it', async (t) => {
  const { quota } = await noiseOf(t, {
    'proc/self/cgroup': '0::/kubepods/pod1/box\n',
    'sys/fs/cgroup/cpu.stat': 'usage_usec 5\n',
    'sys/fs/cgroup/kubepods/cpu.max': 'max 100000\n',
    'sys/fs/cgroup/kubepods/cpu.stat': 'nr_periods 9\nnr_throttled 0\nthrottled_usec 0\n',
    'sys/fs/cgroup/kubepods/pod1/cpu.max': '150000 100000\n',
    'sys/fs/cgroup/kubepods/pod1/cpu.stat': 'nr_periods 9\nnr_throttled 4\nthrottled_usec 1200\n',
    'sys/fs/cgroup/kubepods/pod1/box/cpu.max': '200000 100000\n',
    'sys/fs/cgroup/kubepods/pod1/box/cpu.stat': 'nr_periods 9\nnr_throttled 1\nthrottled_usec 34\n',
  });
  assert.deepEqual(quota, { cpus: 1.5, throttledTimes: 5, throttledUs: 1_234 });
});

test('finds the limit of a cgroup of the first version, where the path is that of the host', async (t) => {
  const { quota } = await noiseOf(t, {
    'proc/self/cgroup': '5:cpu,cpuacct:/docker/0123\n1:name=systemd:/docker/0123\n0::/docker/0123\n',
    'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n',
    'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    'sys/fs/cgroup/cpu/cpu.stat': 'nr_periods 3\nnr_throttled 2\nthrottled_time 4000000\n',
  });
  assert.deepEqual(quota, { cpus: 0.5, throttledTimes: 2, throttledUs: 4_000 });
});

test('reads missing and broken files as absent facts', async (t) => {
  assert.deepEqual(await noiseOf(t, {}), {});
  const broken = {
    'proc/self/status': 'Cpus_allowed_list:\t9-1\n',
    'proc/stat': 'cpu0 1 2 3\ncpu1 a b c d e f g h\n',
    'proc/loadavg': 'many\n',
    'proc/pressure/cpu': '',
    'proc/self/cgroup': '::::\n',
    [`${CPU}/cpufreq/boost`]: 'maybe\n',
  };
  assert.deepEqual(await noiseOf(t, broken), {});
});

test('reads lists of CPUs', () => {
  assert.deepEqual(parseCpuList('0-2,5,7-7\n'), [0, 1, 2, 5, 7]);
  assert.deepEqual(parseCpuList(''), []);
  assert.deepEqual(parseCpuList('3-1,x,0-99999999'), []);
});
