import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command, Exit } from '../../core/executor.ts';
import { hearOutput } from '../hear-output.ts';
import type { LogFile } from '../log-file.ts';
import { callEngine } from './engine.ts';

export interface ExecClient {
  readonly ended: Promise<Exit>;
  /** The container is gone: ends the client if it still waits. */
  abandon(): void;
}

export interface ExecRequest {
  readonly engine: string;
  readonly name: string;
  readonly command: Command;
}

/** Runs the command inside and writes its log. */
export function execIn({ engine, name, command }: ExecRequest, log: LogFile): ExecClient {
  const { argv, cwd, env } = command;
  const args = ['exec', '-w', cwd, ...variables(env), name, ...argv];
  const child = spawn(engine, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  hearOutput(child, log, command.onOutput);
  const ended = new Promise<Exit>((resolve) => {
    child.on('error', (error) => resolve({ type: 'not-started', reason: `${engine}: ${error.message}` }));
    child.on('close', async (code) => resolve(await exitOf(code, { engine, name, command })));
  });
  return { ended, abandon: () => void child.kill('SIGKILL') };
}

/** What only repeats our own environment is not handed on: see the port. */
function variables(env: Command['env']): readonly string[] {
  const own = Object.entries(env).filter(([key, value]) => process.env[key] !== value);
  return own.flatMap(([key, value]) => ['-e', `${key}=${value}`]);
}

/** Engines tell a signal as shells do: 128 and its number. */
async function exitOf(code: number | null, { engine, name, command }: ExecRequest): Promise<Exit> {
  if (code === null) return { type: 'signal', signal: 'SIGKILL' }; // we gave it up
  const number = code - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (signal !== undefined) return { type: 'signal', signal };
  // A client that lost its container says 255, as a command may too.
  if (code === 255 && (await callEngine(engine, ['container', 'inspect', name])).code !== 0)
    return { type: 'signal', signal: 'SIGKILL' };
  if (code < 125 || code > 127) return { type: 'code', code };
  // The engine's own codes, which a command may have too: was there such a program?
  const [program] = command.argv;
  const asked = await callEngine(engine, ['exec', name, 'bash', '-c', 'type -P -- "$1"', 'ask', program]);
  if (asked.code === 0) return { type: 'code', code };
  return { type: 'not-started', reason: `${program}: no such program in the container` };
}
