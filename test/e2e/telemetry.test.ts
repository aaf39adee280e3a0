import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { runBinary } from '../support/binary.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

const slow = {
  ...SCRIPTS,
  'run.sh': (SCRIPTS['run.sh'] ?? '').replace('#!/bin/sh\n', '#!/bin/sh\nsleep 1.3\n'),
};
const SENSORS = `#!/bin/sh
cat <<'X'
k10temp-pci-00c3
Adapter: PCI adapter
Tctl:         +41.5°C
Tdie:         +41.0°C  (high = +70.0°C)

nct6797-isa-0a20
Adapter: ISA adapter
fan1:             N/A
Vcore:        +1.10 V

lonely-isa-0001
Adapter: ISA adapter
X
`;
const NVIDIA = `#!/bin/sh
echo 'timestamp, clocks.current.graphics [MHz], clocks.current.memory [MHz], utilization.gpu [%], utilization.memory [%], memory.used [MiB], pstate, power.limit [W], temperature.gpu, fan.speed [%]'
echo '2026/01/05 03:07:00.123, 1410 MHz, 5001 MHz, 37 %, 12 %, 2048 MiB, P2, 250.00 W, 61, 44 %'
`;

type Row = readonly [number, number | string];
interface CpuFile {
  readonly timestamp: string;
  readonly [group: string]: Readonly<Record<string, readonly Row[]>> | string;
}

function withPrograms(home: string, programs: Record<string, string>): Record<string, string> {
  const bin = join(home, 'bin');
  fs.mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    fs.writeFileSync(join(bin, name), text, { mode: 0o755 });
  return { PATH: `${bin}:${process.env['PATH']}` };
}

function onlyFile(...path: string[]): string {
  const folder = join(...path);
  const [file = ''] = fs.readdirSync(folder);
  return fs.readFileSync(join(folder, file), 'utf8');
}

test('[12] telemetry of sensors and GPU is written beside the run, with numbers as numbers, and kept as series', async () => {
  const home = makeScriptHome([], SCRIPTS, { telemetry_rate: 0.5 });
  folders.push(home);
  addExperiment(home, 'telem', slow, { run_cpu_telemetry: true, run_gpu_telemetry: true });
  addExperiment(home, 'off', SCRIPTS, { run_cpu_telemetry: true, telemetry_rate: -1 });
  const env = withPrograms(home, { sensors: SENSORS, 'nvidia-smi': NVIDIA });
  const ran = await runBinary(['run', home, '--json'], env);
  assert.equal(ran.code, 0, ran.stderr);

  const telemetry = join(home, 'results/subsystem/telemetry');
  assert.deepEqual(fs.readdirSync(telemetry), ['telem']);
  const cpu = JSON.parse(onlyFile(telemetry, 'telem/cpu')) as CpuFile;
  const groups = Object.keys(cpu).filter((group) => !group.startsWith('proc-'));
  assert.deepEqual(groups, ['timestamp', 'k10temp-pci-00c3', 'nct6797-isa-0a20']);
  const chip = cpu['nct6797-isa-0a20'] as Record<string, readonly Row[]>;
  assert.deepEqual(Object.keys(chip), ['Vcore']);
  const rows = (cpu['k10temp-pci-00c3'] as Record<string, readonly Row[]>)['Tctl'] ?? [];
  assert.ok(rows.length >= 2 && rows.length <= 4, `${rows.length} samples in 1.3 s at 0.5 s`);
  for (const [elapsed, value] of rows) assert.deepEqual([typeof elapsed, value], ['number', 41.5]);
  assert.ok((rows[0]?.[0] ?? 9) < 0.4, 'the first sample is taken at once, and only once');
  assert.ok((rows[1]?.[0] ?? 0) > 0.3);

  const gpu = JSON.parse(onlyFile(telemetry, 'telem/gpu')) as Record<
    string,
    { unit: string | null; data: Row[] }
  >;
  assert.deepEqual([gpu['clocks.gr']?.unit, gpu['clocks.gr']?.data[0]?.[1]], ['MHz', 1410]);
  assert.deepEqual([gpu['pstate']?.unit, gpu['pstate']?.data[0]?.[1]], [null, 'P2']);
  assert.deepEqual([gpu['temperature.gpu']?.unit, gpu['temperature.gpu']?.data[0]?.[1]], [null, 61]);
  const run = JSON.parse(
    fs.readFileSync(join(home, 'results/experiments/status/telem/run.json'), 'utf8'),
  ) as object;
  assert.deepEqual(Object.entries(run).slice(-2), [
    ['run_cpu_telemetry', true],
    ['run_gpu_telemetry', true],
  ]);

  const { run: night } = JSON.parse(ran.stdout) as { run: { id: string } };
  const store = await openSqliteStore(join(home, '.nightmark/index.db'), { readOnly: true });
  const points = await store.pointsOf(night.id);
  store.close();
  const tctl = points.find(({ name, tags }) => name === 'cpu.k10temp-pci-00c3' && tags['label'] === 'Tctl');
  assert.deepEqual(
    [...(tctl?.values ?? [])],
    rows.map(() => 41.5),
  );
  assert.ok(points.some(({ name }) => name === 'cpu.proc-load'));
});

test('[19] what is missing is noted, the rest goes on', async () => {
  const home = makeScriptHome([], SCRIPTS, { telemetry_rate: 0.5 });
  folders.push(home);
  addExperiment(home, 'telem', slow, { run_cpu_telemetry: true, run_gpu_telemetry: true });
  const env = withPrograms(home, { sensors: SENSORS });
  const ran = await runBinary(['run', home], env);
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stderr, /nvidia-smi: not found/);
  const cpu = JSON.parse(onlyFile(home, 'results/subsystem/telemetry/telem/cpu')) as CpuFile;
  assert.ok('k10temp-pci-00c3' in cpu);
  assert.deepEqual(
    Object.keys(JSON.parse(onlyFile(home, 'results/subsystem/telemetry/telem/gpu')) as object),
    ['timestamp'],
  );
});
