import { nodeContext } from '../../src/cli/node-context.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import type { CliContext } from '../../src/platform/cli/command.ts';
import type { Clock } from '../../src/platform/core/clock.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The whole program with real adapters in this process; only terminal, environment and clock are ours. */
export async function runInProcess(
  argv: readonly string[],
  more: { readonly env?: Record<string, string>; readonly clock?: Clock; readonly cwd?: string } = {},
): Promise<Ran> {
  const { context, dispose } = nodeContext(process);
  let stdout = '';
  let stderr = '';
  const terminal = { isTerminal: false, columns: 100, hasColor: false };
  const ours: CliContext = {
    ...context,
    cwd: more.cwd ?? context.cwd,
    env: { ...context.env, ...more.env },
    clock: more.clock ?? context.clock,
    stdout: {
      ...terminal,
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      ...terminal,
      write: (text) => {
        stderr += text;
      },
    },
  };
  try {
    return { code: await runCli(argv, ours), stdout, stderr };
  } finally {
    dispose();
  }
}

/** A clock that stands still, in UTC. */
export function frozenClock(iso: string): Clock {
  const at = Date.parse(iso);
  return {
    ...systemClock,
    now: () => at,
    micros: () => 0,
    wall(moment) {
      const date = new Date(moment);
      return {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        weekday: date.getUTCDay(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
      };
    },
    fromWall: ({ year, month, day, hour, minute }) => Date.UTC(year, month - 1, day, hour, minute),
  };
}
