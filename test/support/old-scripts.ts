import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PYTHON } from './python-job.ts';
import { folderWith } from './python-kit.ts';

const SCRIPTS = join(process.cwd(), 'test/kit/old-scripts');

/** Copies scripts in the form of the old dashboard's to where a night finds them. */
export function copyOldScripts(
  kind: 'experiments' | 'subsystem',
  to: string,
  names?: readonly string[],
): void {
  for (const name of names ?? readdirSync(join(SCRIPTS, kind)))
    cpSync(join(SCRIPTS, kind, name), join(to, name), { recursive: true });
}

interface PythonOptions {
  readonly python?: string;
  /** Without installed packages: the stand-ins of the kit take their places. */
  readonly isBare?: boolean;
  /** What datetime.now() says, for example 2026-01-05T03:07:00. */
  readonly now?: string;
}

/**
 * The environment of a night whose python3 is this one, at that time. Time passes there
 * only while it sleeps, and then at once: what a trial takes is known, and a night of them is short.
 */
export function oldPython({ python = PYTHON, isBare = false, now = '' }: PythonOptions = {}) {
  const start = `exec ${python}${isBare ? ' -S' : ''}`;
  // What is no script, such as -c, starts as it is.
  const command = `#!/bin/sh\ncase $1 in -*) ${start} "$@" ;; esac\n${start} "$OLD_SCRIPTS_START" "$@"\n`;
  const folder = folderWith({ python3: command, 'start.py': START });
  chmodSync(join(folder, 'python3'), 0o755);
  return {
    PATH: `${folder}:${process.env['PATH']}`,
    OLD_SCRIPTS_START: join(folder, 'start.py'),
    OLD_SCRIPTS_NOW: now,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

const START = `import datetime, os, runpy, sys, time
elapsed = [0.0]
def sleep(seconds): elapsed[0] += seconds
time.sleep, time.perf_counter = sleep, lambda: elapsed[0]
now = os.environ['OLD_SCRIPTS_NOW']
if now:
    class Frozen(datetime.datetime):
        @classmethod
        def now(cls, tz=None): return cls.fromisoformat(now)
    datetime.datetime = Frozen
del sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name='__main__')
`;
