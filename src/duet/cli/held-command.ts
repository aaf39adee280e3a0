import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A command that has its process already, and waits for a word to begin. */
export interface HeldCommand {
  /** Lets it go; resolves with its exit code, 128 + n when signal n ended it. */
  go(): Promise<number>;
  /** It never begins. */
  drop(): void;
}

/**
 * Making a process takes milliseconds that differ from one to the next: it is made before the barrier. A shell waits for a line
 * on a pipe of its own and then becomes the command.
 */
export function holdCommand(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): HeldCommand {
  const script = 'read -r _ <&3 || exit 1; exec 3<&-; exec "$@"';
  const child = spawn('sh', ['-c', script, 'sh', ...argv], {
    cwd,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const word = child.stdio[3] as NodeJS.WritableStream;
  word.on('error', () => {}); // It ended before: its exit code tells.
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  ended.catch(() => {}); // Told to whoever lets it go.
  return {
    go() {
      word.end('\n');
      return ended;
    },
    drop: () => word.end(),
  };
}
