import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Weather {
  readonly phaseMs: number;
  readonly grainMs: number;
}

export interface Load {
  stop(): void;
}

/**
 * Makes this machine a bad neighbour: on each core a process that takes it away for some milliseconds now and then, on all
 * cores at the same moments, as a hypervisor does with its guests. Both sides of a pair feel it, two series one after
 * the other feel it differently, because calm and stormy phases alternate, each of `phaseMs` in the mean. The
 * core is away for `grainMs` at a time, half of a storm.
 */
export function startLoad(cores: readonly number[], seed: number, { phaseMs, grainMs }: Weather): Load {
  const program = fileURLToPath(new URL('./bursts.js', import.meta.url));
  const beginsAt = Date.now() + 500;
  const children = cores.map((core) =>
    spawn(
      'taskset',
      ['-c', `${core}`, process.execPath, program, `${seed}`, `${beginsAt}`, `${phaseMs}`, `${grainMs}`],
      {
        // In a session of its own: the kernel may give every session the same share, whatever its priorities.
        detached: true,
        stdio: ['pipe', 'ignore', 'inherit'],
      },
    ),
  );
  const stop = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', stop);
  return { stop };
}
