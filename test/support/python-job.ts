import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const KIT = join(process.cwd(), 'kit/python');
/** The interpreter itself: what stands for it on the PATH may take longer than it. */
export const PYTHON =
  spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout?.trim() ||
  'python3';
export const noPython =
  spawnSync(PYTHON, ['--version']).status === 0
    ? false
    : 'there is no python3 on the PATH: install Python 3.8 or newer';

export function lacks(module: string): false | string {
  if (noPython) return noPython;
  const isThere = spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;
  return isThere ? false : `python3 has no ${module}: install it to run this test`;
}

export interface PythonJob {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly Record<string, unknown>[];
  /** What the script told of one type. */
  told(type: string): readonly Record<string, unknown>[];
  readonly configYml: string | undefined;
  /** Output folder. */
  readonly folder: string;
}

interface JobOptions {
  readonly name?: string;
  /** What is run, where it is not the script. */
  readonly run?: string;
  readonly overrides?: object;
  readonly env?: Record<string, string>;
  /** Further files of the code, by path. */
  readonly files?: Record<string, string>;
}

const made: string[] = [];

/** Runs a script as a worker does, with a folder, overrides and a file of events of its own. */
export function runScript(text: string, options: JobOptions = {}): PythonJob {
  const { name = 'train.py', run = name, overrides = {}, env = {}, files = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-script-'));
  made.push(folder);
  for (const [path, content] of Object.entries({ ...files, [name]: text })) {
    mkdirSync(join(folder, 'code', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'code', path), content);
  }
  const events = join(folder, 'events.0.ndjson');
  const config = join(folder, 'overrides.0.json');
  writeFileSync(config, JSON.stringify(overrides));
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-u', join(KIT, 'nightmark_job.py'), run], {
    cwd: join(folder, 'code'),
    encoding: 'utf8',
    timeout: 30_000,
    env: {
      PATH: process.env['PATH'],
      PYTHONDONTWRITEBYTECODE: '1',
      NIGHTMARK_OUTPUT_DIR: folder,
      NIGHTMARK_JOB_EVENTS: events,
      NIGHTMARK_JOB_CONFIG: config,
      ...env,
    },
  });
  const lines = (read(events) ?? '').split('\n').filter((line) => line !== '');
  const all = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    ...{ code: status, stdout, stderr, folder, events: all },
    told: (type) => all.filter((event) => event['type'] === type).map(({ type: _, ...rest }) => rest),
    configYml: read(join(folder, 'config.yml')),
  };
}

export function removeScripts(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
