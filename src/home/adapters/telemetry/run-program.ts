import { type ChildProcess, spawn } from 'node:child_process';

/** What a program printed, once it has ended by itself. */
export interface Captured {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CaptureOptions {
  readonly timeoutMs: number;
  /** Ends the program; the capture then rejects. */
  readonly signal: AbortSignal;
}

/** Far more than these programs print; one that prints for ever must not fill the memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Runs a program without a shell. Its whole process group is ended when the promise settles, however it settles. */
export function capture(argv: readonly [string, ...string[]], options: CaptureOptions): Promise<Captured> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return reject(new Error('stopped'));
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    let isSettled = false;
    const settle = (finish: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      options.signal.removeEventListener('abort', stop);
      endGroup(child);
      finish();
    };
    const giveUp = (reason: string) => settle(() => reject(new Error(reason)));
    const stop = () => giveUp('stopped');
    const timer = setTimeout(
      () => giveUp(`no answer within ${options.timeoutMs / 1000} s`),
      options.timeoutMs,
    );
    options.signal.addEventListener('abort', stop, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (output[name].length > MAX_CHARACTERS) giveUp(`more than ${MAX_CHARACTERS} characters of output`);
      });
    }
    child.on('error', (error) => giveUp(error.message));
    child.on('close', (code) => settle(() => resolve({ code, ...output })));
  });
}

/** The program leads a group of its own, so its children go with it. */
function endGroup({ pid, stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended; macOS reports EPERM for a group that only has dead members.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
