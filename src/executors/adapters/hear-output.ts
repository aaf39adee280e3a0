import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { OutputListener } from '../core/executor.ts';
import type { LogFile } from './log-file.ts';

/**
 * Carries what a child prints to its log and to who listens. Returns a look at what is held back: a listener that is
 * slow to take output stops the reading, and so, when its pipe is full, the program.
 */
export function hearOutput(
  { stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>,
  log: LogFile,
  onOutput: OutputListener | undefined,
): () => Promise<unknown> {
  const held = new Set<Promise<void>>();
  const hear = (pipe: Readable | null, name: 'stdout' | 'stderr') => {
    pipe?.on('data', (chunk: Buffer) => {
      log.add(chunk, name === 'stdout');
      const slow = onOutput?.(name, chunk);
      if (!slow) return;
      pipe.pause();
      const gone = slow.then(() => {
        held.delete(gone);
        pipe.resume();
      });
      held.add(gone);
    });
  };
  hear(stdout, 'stdout');
  hear(stderr, 'stderr');
  return () => Promise.all(held);
}
