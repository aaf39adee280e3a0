import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CommandTimer } from '../../../core/command-timer.ts';
import { BASH_LANE } from './bash-lane.ts';
import { readCores } from './cores.ts';
import { findProgram } from './find-program.ts';
import { ProcessSession } from './session.ts';

type Prefix = readonly [string, ...string[]];

/** Times processes of this machine. */
const processTimer: CommandTimer = {
  id: 'process',
  open: async (lanes) => new ProcessSession(lanes, bashPrefix() ?? nodePrefix()),
  cores: async () => readCores('/'),
};

/** -p: no functions and no BASH_ENV of the user. --norc: a shell whose input is a socket, as ours is, takes itself for remote. */
const BARE = ['--norc', '-p', '-c'] as const;

function bashPrefix(): Prefix | undefined {
  // By our own PATH: that of a command may lead elsewhere, or nowhere.
  const bash = findProgram('bash', '/', process.env['PATH']);
  if (bash.state === 'missing') return undefined;
  const check = spawnSync(bash.path, [...BARE, '[[ -n $EPOCHREALTIME ]]'], { stdio: 'ignore' });
  return check.status === 0 ? [bash.path, ...BARE, BASH_LANE, 'nightmark-lane'] : undefined;
}

export function nodePrefix(): Prefix {
  const module = fileURLToPath(new URL('./node-lane.js', import.meta.url));
  return [process.execPath, '--max-semi-space-size=1', module];
}

export default processTimer;
