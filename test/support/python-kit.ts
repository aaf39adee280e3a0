import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PYTHON } from './python-job.ts';

export const KIT_DIR = join(process.cwd(), 'kit');

interface Program {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Without installed packages, so without numpy and matplotlib. */
  readonly isBare?: boolean;
  readonly python?: string;
  readonly cwd?: string;
}

const made: string[] = [];

/** A new folder with these files in it, by path. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-kit-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export function removeFolders(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

/** Runs a program with the kit on its path. */
export function runPython(program: string, options: Program = {}) {
  const { args = [], env = {}, isBare = true, python = PYTHON, cwd = tmpdir() } = options;
  const { status, stdout, stderr } = spawnSync(python, [...(isBare ? ['-S'] : []), '-c', program, ...args], {
    ...{ cwd, encoding: 'utf8', timeout: 30_000 },
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: join(KIT_DIR, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
  });
  return { status, stdout, stderr };
}

/** What a program gave to show(name, value), by name. */
export function shown(program: string, options: Program = {}): Record<string, unknown> & { stderr: string } {
  const { status, stdout, stderr } = runPython(`${SHOW}\n${program}\n_end()`, options);
  if (status !== 0) throw new Error(`Python ended with ${status}:\n${stderr}${stdout}`);
  return { ...(JSON.parse(stdout.split('\n').at(-2) ?? '') as object), stderr };
}

const SHOW = `
import json as _json
_shown = {}
def show(name, value): _shown[name] = value
def raised(call, *args):
    try: call(*args)
    except Exception as e: return '%s: %s' % (type(e).__name__, e)
def _end(): print(_json.dumps(_shown, default=lambda value: list(value) if isinstance(value, set) else str(value)))
`;

interface ChartCall {
  readonly how: 'single' | 'batch';
  readonly charts: readonly { readonly spec: Record<string, unknown>; readonly output: string }[];
}

/** A command in the place of nightmark that writes down which charts it is asked to draw, and makes their files. */
export function chartRecorder(): { readonly env: Record<string, string>; calls(): readonly ChartCall[] } {
  const folder = folderWith({ 'nightmark ': RECORDER });
  const command = join(folder, 'nightmark ');
  chmodSync(command, 0o755);
  const log = join(folder, 'calls.ndjson');
  return {
    env: { NIGHTMARK: command, CHART_LOG: log },
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ChartCall),
  };
}

const RECORDER = `#!${PYTHON} -S
import json, os, sys
command, first, second, *rest = sys.argv[1:]
assert command == 'chart', command
if first == '--batch':
    call = {'how': 'batch', 'charts': [json.loads(line) for line in open(second)]}
else:
    assert second == '-o'
    call = {'how': 'single', 'charts': [{'spec': json.load(open(first)), 'output': rest[0]}]}
for chart in call['charts']: open(chart['output'], 'w').close()
with open(os.environ['CHART_LOG'], 'a') as log: log.write(json.dumps(call) + '\\n')
`;
