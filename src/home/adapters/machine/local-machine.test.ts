import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { localMachine } from './local-machine.ts';

function machineWith(t: TestContext, files: Readonly<Record<string, string>>, env = {}) {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-machine-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return localMachine({ root, env }).probe();
}

const cpuBlock = (processor: number, core: number) =>
  `processor\t: ${processor}\nmodel name\t: AMD EPYC 7763\nmicrocode\t: 0xa0011d1\nphysical id\t: 0\ncore id\t\t: ${core}\nflags\t\t: fpu sse2\n\n`;

const server = {
  'proc/cpuinfo': cpuBlock(0, 0) + cpuBlock(1, 1) + cpuBlock(2, 0) + cpuBlock(3, 1),
  'proc/meminfo': 'MemTotal:       24682416 kB\nMemFree: 1 kB\n',
  'proc/sys/kernel/osrelease': '6.1.0-18-amd64\n',
  'proc/self/maps': '7f00-7f01 r--p 00000000 08:01 42    /usr/lib/libc.so.6\n',
  'usr/lib/libc.so.6':
    '\0\x7fELF\0GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.\nCopyright',
  'etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n',
  'sys/devices/system/cpu/smt/active': '1\n',
  'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'performance\n',
  'sys/devices/system/cpu/intel_pstate/no_turbo': '1\n',
};

test('reads the facts of a server from files', async (t) => {
  const { facts, name } = await machineWith(t, server);
  assert.equal(name, hostname());
  assert.deepEqual(facts, {
    cpu: 'AMD EPYC 7763',
    cores: 2,
    threads: 4,
    smt: 'on',
    microcode: '0xa0011d1',
    architecture: process.arch,
    memoryBytes: 24682416 * 1024,
    kernel: '6.1.0-18-amd64',
    os: 'Debian GNU/Linux 12 (bookworm)',
    libc: 'glibc 2.36 (Debian GLIBC 2.36-9)',
    governor: 'performance',
    turbo: 'off',
    node: process.version,
    hostName: hostname(),
  });
});

test('does not take a little less memory or another governor for another machine', async (t) => {
  const { id } = await machineWith(t, server);
  const rebooted = { ...server, 'proc/meminfo': 'MemTotal:       24682412 kB\n' };
  assert.equal((await machineWith(t, rebooted)).id, id);
  const tuned = { ...server, 'sys/devices/system/cpu/cpu0/cpufreq/scaling_governor': 'powersave\n' };
  assert.equal((await machineWith(t, tuned)).id, id);
});

test('sees another machine after a microcode update and with SMT switched off', async (t) => {
  const { id } = await machineWith(t, server);
  const cpuinfo = server['proc/cpuinfo'];
  const updated = { ...server, 'proc/cpuinfo': cpuinfo.replaceAll('0xa0011d1', '0xa0011d5') };
  assert.notEqual((await machineWith(t, updated)).id, id);
  assert.notEqual(
    (await machineWith(t, { ...server, 'proc/cpuinfo': cpuBlock(0, 0) + cpuBlock(1, 1) })).id,
    id,
  );
});

const tuned = {
  ...server,
  'proc/cmdline': 'root=/dev/sda1 password=secret mitigations=off quiet\n',
  'sys/kernel/mm/transparent_hugepage/enabled': 'always [madvise] never\n',
  'sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc\n',
  'proc/sys/kernel/randomize_va_space': '2\n',
  'sys/class/dmi/id/bios_version': 'F20\n',
  'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0-1\n',
  'proc/self/cgroup': '0::/box\n',
  'sys/fs/cgroup/box/cpu.stat': 'nr_throttled 0\n',
  'sys/fs/cgroup/box/cpu.max': '150000 100000\n',
  'sys/fs/cgroup/box/memory.max': '1073741824\n',
  'run/.containerenv': 'engine="podman-4"\nimage="docker.io/library/node:20"\nimageid="sha256:0123"\n',
};

test('reads what explains a change and is not the machine: settings, limits, image; the id stays', async (t) => {
  const { facts, id } = await machineWith(t, tuned);
  assert.equal(id, (await machineWith(t, server)).id);
  const { cpuLimit, memoryLimitBytes, usableCpus, image, imageId, mitigations, hugePages, ...rest } = facts;
  assert.deepEqual([cpuLimit, memoryLimitBytes, usableCpus], [1.5, 2 ** 30, '0-1']);
  assert.deepEqual([image, imageId], ['docker.io/library/node:20', 'sha256:0123']);
  assert.deepEqual([mitigations, hugePages, rest['clockSource']], ['off', 'madvise', 'tsc']);
  assert.deepEqual([rest['addressRandomization'], rest['firmware']], ['2', 'F20']);
  assert.ok(!JSON.stringify(facts).includes('secret'));
});

test('the id of a machine is what it was in homes of earlier versions', async (t) => {
  assert.equal((await machineWith(t, tuned)).id, 'af90e2c22b32');
});

test('distinguishes no limit from an unknown one', async (t) => {
  const free = {
    ...tuned,
    'sys/fs/cgroup/box/cpu.max': 'max 100000\n',
    'sys/fs/cgroup/box/memory.max': 'max\n',
  };
  const { facts } = await machineWith(t, free);
  assert.deepEqual([facts['cpuLimit'], facts['memoryLimitBytes']], ['none', 'none']);
  const old = { 'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' };
  assert.equal((await machineWith(t, old)).facts['memoryLimitBytes'], 'none');
});

test('names a C library without a sentence of its own by its content', async (t) => {
  const musl = {
    'proc/self/maps': '7f00-7f01 r-xp 00000000 08:01 42    /lib/ld-musl-x86_64.so.1\n',
    'lib/ld-musl-x86_64.so.1': 'musl',
  };
  assert.match(String((await machineWith(t, musl)).facts['libc']), /^ld-musl-x86_64\.so\.1 [0-9a-f]{12}$/);
});

test('knows ARM by its numbers, with cores from sysfs', async (t) => {
  const block = (n: number) => `processor\t: ${n}\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n`;
  const { facts } = await machineWith(t, {
    'proc/cpuinfo': block(0) + block(1),
    'sys/devices/system/cpu/cpu0/topology/core_id': '0\n',
    'sys/devices/system/cpu/cpu1/topology/core_id': '1\n',
  });
  assert.equal(facts['cpu'], 'arm 0x41 0xd0c');
  assert.equal(facts['cores'], 2);
});

test('sees virtual machines and containers', async (t) => {
  const guest = {
    'proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu hypervisor sse2\n\n',
    'sys/class/dmi/id/sys_vendor': 'QEMU\n',
    'sys/class/dmi/id/product_name': 'Standard PC\n',
    '.dockerenv': '',
  };
  const { facts } = await machineWith(t, guest);
  assert.equal(facts['virtualization'], 'QEMU Standard PC');
  assert.equal(facts['container'], 'docker');
  const pod = await machineWith(t, {}, { KUBERNETES_SERVICE_HOST: '10.0.0.1' });
  assert.equal(pod.facts['container'], 'kubernetes');
  const lxc = await machineWith(t, { 'proc/1/cgroup': '0::/lxc.payload.web\n' });
  assert.equal(lxc.facts['container'], 'lxc');
});

test('reads broken files as absent facts', async (t) => {
  const { facts, id } = await machineWith(t, {
    'proc/cpuinfo': '\0\0\0\n\n\n:::',
    'proc/meminfo': 'MemTotal: many kB',
    'proc/self/maps': 'x\n/lib/libc.so.6',
    'etc/os-release': '',
  });
  assert.equal(facts['libc'], undefined);
  assert.equal(facts['microcode'], undefined);
  assert.match(id, /^[0-9a-f]{12}$/);
});
