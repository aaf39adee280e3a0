import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { nvidiaSmiTelemetry } from '../../src/home/adapters/telemetry/nvidia-smi/nvidia-smi.ts';
import { procTelemetry } from '../../src/home/adapters/telemetry/proc/proc.ts';
import { sensorsTelemetry } from '../../src/home/adapters/telemetry/sensors/sensors.ts';
import type { Reading, TelemetrySource } from '../../src/home/core/machine/telemetry-source.ts';
import { adapterIds } from '../../src/platform/cli/adapters.ts';

const adapters = join(process.cwd(), 'src/home/adapters/telemetry');

/** How each adapter is shown a machine, in a folder of the test's own: one that has it, and that can fail and hang. */
interface Harness {
  missing(dir: string): TelemetrySource;
  working(dir: string): TelemetrySource;
  breakDown(dir: string): void;
  mend(dir: string): void;
  /** From now on a sample starts a process that never ends; its id and that of its child are in the file "pids". */
  hang?(dir: string): void;
}

const harnesses: Readonly<Record<string, Harness>> = {
  proc: {
    missing: (dir) => procTelemetry({ root: dir }),
    working(dir) {
      this.mend(dir);
      return procTelemetry({ root: dir });
    },
    breakDown: (dir) => {
      for (const name of ['proc', 'sys']) rmSync(join(dir, name), { recursive: true });
    },
    mend: (dir) => cpSync(join(adapters, 'proc/fixtures/server'), dir, { recursive: true }),
  },
  sensors: ofProgram('sensors/fixtures/desktop.json', (program) => sensorsTelemetry({ program })),
  'nvidia-smi': ofProgram('nvidia-smi/fixtures/two-gpus.csv', (program) => nvidiaSmiTelemetry({ program })),
};

for (const id of adapterIds('telemetry')) {
  const harness = harnesses[id];

  test(`telemetry/${id} has a harness in this suite`, () =>
    assert.ok(harness, 'show it a machine in harnesses'));

  test(`telemetry/${id} is what its folder says, and opens or is missing on this machine`, async () => {
    const { default: source } = (await import(`../../src/home/adapters/telemetry/${id}/${id}.js`)) as {
      default: TelemetrySource;
    };
    assert.equal(source.id, id);
    assert.notEqual(source.title, '');
    assert.ok(['cpu', 'gpu'].includes(source.switch));
    const opened = await source.open();
    if (opened.state === 'missing') assert.notEqual(opened.reason, '');
    else opened.close?.();
  });

  if (!harness) continue;

  test(`telemetry/${id} 1: says missing, with a reason, where the machine lacks it`, async (t) => {
    const opened = await harness.missing(folder(t)).open();
    assert.ok(opened.state === 'missing');
    assert.notEqual(opened.reason, '');
  });

  test(`telemetry/${id} 2: a sample that fails loses that sample, not the source`, async (t) => {
    const dir = folder(t);
    const opened = await harness.working(dir).open();
    assert.ok(opened.state === 'open');
    const before = await opened.sample();
    assert.ok(before.length > 0);
    harness.breakDown(dir);
    await assert.rejects(opened.sample(), Error);
    harness.mend(dir);
    assert.deepEqual(names(await opened.sample()), names(before));
  });

  test(`telemetry/${id} 3: the same group and label name the same thing in every sample`, async (t) => {
    const opened = await harness.working(folder(t)).open();
    assert.ok(opened.state === 'open');
    const first = names(await opened.sample());
    assert.equal(new Set(first).size, first.length, 'no name twice in a sample');
    const second = names(await opened.sample());
    assert.deepEqual(
      first.filter((name) => !second.includes(name)),
      [],
    );
  });

  const { hang } = harness;
  const reason = 'it starts no process';
  test(`telemetry/${id} 4: close ends what a sample under way has started`, {
    skip: !hang && reason,
  }, async (t) => {
    const dir = folder(t);
    const opened = await harness.working(dir).open();
    assert.ok(opened.state === 'open' && opened.close);
    hang?.(dir);
    const outcome = assert.rejects(opened.sample(), Error);
    const pids = await eventually(() => {
      const found = existsSync(join(dir, 'pids')) ? readFileSync(join(dir, 'pids'), 'utf8').split('\n') : [];
      return found.length === 3 ? found.slice(0, 2) : undefined;
    });
    assert.ok(pids.every(isAlive));
    opened.close();
    await outcome;
    await eventually(() => !pids.some(isAlive) || undefined);
    await assert.rejects(opened.sample(), Error);
  });
}

function ofProgram(fixture: string, make: (program: string) => TelemetrySource): Harness {
  const write = (dir: string, script: string) =>
    writeFileSync(join(dir, 'program'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const mend = (dir: string) => write(dir, `cat '${join(adapters, fixture)}'`);
  return {
    missing: (dir) => make(join(dir, 'program')),
    working(dir) {
      mend(dir);
      return make(join(dir, 'program'));
    },
    breakDown: (dir) => write(dir, 'exit 3'),
    mend,
    hang: (dir) => write(dir, `sleep 600 & printf '%s\\n%s\\n' $$ $! > '${dir}/pids'; wait`),
  };
}

function names(readings: readonly Reading[]): readonly string[] {
  return readings.map(({ group, label, unit }) => `${group} | ${label} | ${unit}`);
}

/** A dead process whose parent has not looked yet is a zombie: gone for our purpose. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (let looks = 0; looks < 3000; looks++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return assert.fail('still not so after 3000 looks');
}

function folder(t: { after(done: () => void): void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-contract-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
