import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { runInProcess } from './in-process.ts';

/** Pauses between tries are not waited for; a night waits for itself now and then. */
const clock = {
  ...systemClock,
  sleep: async (ms: number, signal?: Parameters<typeof systemClock.sleep>[1]) =>
    ms < 400 ? systemClock.sleep(ms, signal) : undefined,
};

/** A home of the old dashboard after a night of its experiments: a test runs subsystems over what is there. */
export class SubsystemHome {
  readonly dir = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-subsystems-')));

  constructor() {
    const folder = (name: string) => join(this.dir, name);
    this.write('config.json', {
      tmp_data_dir: folder('tmp'),
      backup_dir: folder('backup'),
      setup_dir: folder('setup'),
      backups: { before: false, after: false },
    });
  }

  write(path: string, content: unknown): void {
    const file = join(this.dir, path);
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** An experiment whose last night succeeded; the data of its nights, one a day from January 5, 2026. */
  experiment(name: string, nights: readonly object[], config: object = {}): void {
    this.write(`config/experiments/${name}/config.json`, { active: true, ...config });
    const status = { success: true, message: '' };
    for (const stage of ['precheck', 'analysis', 'summary'])
      this.write(`results/experiments/status/${name}/${stage}.json`, status);
    this.write(`results/experiments/status/${name}/run.json`, {
      ...status,
      time_delta: '0:00:02',
      run_cpu_telemetry: true,
      run_gpu_telemetry: true,
    });
    this.write(`results/experiments/summary/${name}/summary.json`, { title: `${name} title`, value: 'fine' });
    for (const [index, data] of nights.entries()) {
      const timestamp = `01-${String(5 + index).padStart(2, '0')}-2026-0307`;
      this.write(`results/experiments/data/${name}/data_${timestamp}.json`, { timestamp, ...data });
    }
  }

  subsystem(name: string, config: object = {}): void {
    this.write(`config/subsystem/${name}/config.json`, { active: true, ...config });
  }

  read(path: string): string {
    return fs.readFileSync(join(this.dir, path), 'utf8');
  }

  has(path: string): boolean {
    return fs.existsSync(join(this.dir, path));
  }

  /** Runs these subsystems alone; how each ended. */
  async run(names: readonly string[], env: Record<string, string> = {}) {
    const args = ['run', this.dir, '--only', names.join(','), '--progress', 'none'];
    const ran = await runInProcess(args, { env, clock });
    const statuses = names.map((name) => JSON.parse(this.read(`results/subsystem/status/${name}/run.json`)));
    return { ...ran, statuses };
  }

  dispose(): void {
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}
