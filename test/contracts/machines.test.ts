import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { localMachine } from '../../src/home/adapters/machine/local-machine.ts';
import type { MachineProbe } from '../../src/home/core/machine/machine-probe.ts';

/** Facts that a probe is shown; the same for all, so that one can be changed at a time. */
type Shown = Readonly<Record<'cpu' | 'memoryKib' | 'kernel' | 'libc', string>>;

/** The machine that these facts describe; without facts, one of which nothing can be read. */
function showMachine(dir: string, shown?: Shown): MachineProbe {
  if (shown) {
    put(dir, 'proc/cpuinfo', `processor\t: 0\nmodel name\t: ${shown.cpu}\n\n`);
    put(dir, 'proc/meminfo', `MemTotal: ${shown.memoryKib} kB\n`);
    put(dir, 'proc/sys/kernel/osrelease', `${shown.kernel}\n`);
    put(dir, 'proc/self/maps', '0-1 r--p 0 0:0 1 /lib/libc.so.6\n');
    put(dir, 'lib/libc.so.6', `GNU C Library (${shown.libc}) stable release version 2.36.`);
  }
  return localMachine({ root: dir, env: {} });
}

const shown: Shown = { cpu: 'AMD EPYC', memoryKib: '24682416', kernel: '6.1.0', libc: 'Debian GLIBC 2.36-9' };

test('machines/local describes this machine', async () => {
  const probe = localMachine();
  const first = await probe.probe();
  const second = await probe.probe();
  assert.match(first.id, /^[0-9a-f]{12}$/);
  assert.deepEqual(second, first);
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first, 'facts are plain JSON');
});

test('machines/local 1: never throws, a fact that cannot be read is absent', async (t) => {
  const dir = folder(t);
  const { facts } = await showMachine(dir).probe();
  assert.equal(facts['libc'], undefined);
  assert.ok(!Object.values(facts).includes(null));
});

test('machines/local 2: the id stays on an unchanged machine and changes with what decides', async (t) => {
  const idOf = async (facts: Shown) => (await showMachine(folder(t), facts).probe()).id;
  const before = await idOf(shown);
  assert.equal(await idOf(shown), before);
  const others: readonly Shown[] = [
    { ...shown, cpu: 'AMD EPYC 7763' },
    { ...shown, memoryKib: '49364832' },
    { ...shown, kernel: '6.1.1' },
    { ...shown, libc: 'Debian GLIBC 2.36-10' },
  ];
  const ids = await Promise.all(others.map(idOf));
  assert.equal(new Set([before, ...ids]).size, 5);
});

test('machines/local 3: a reading of noise never throws, and its counters never go back', async (t) => {
  const { atMs, ...facts } = await showMachine(folder(t)).noise();
  assert.ok(Number.isFinite(atMs));
  assert.deepEqual(facts, {}, 'nothing can be read');
  const probe = localMachine();
  const first = await probe.noise();
  const second = await probe.noise();
  assert.deepEqual(JSON.parse(JSON.stringify(first)), first, 'readings are plain JSON');
  assert.ok(second.atMs >= first.atMs);
  const counters = ({ ticks, waitedUs, throttled, quota }: typeof first) =>
    [ticks?.steal, waitedUs, throttled, quota?.throttledTimes, quota?.throttledUs] as const;
  for (const [index, count] of counters(first).entries())
    assert.ok(count === undefined || (counters(second)[index] ?? 0) >= count, `counter ${index}`);
});

function folder(t: { after(done: () => void): void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-contract-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function put(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
