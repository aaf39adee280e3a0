import type { Command, Execution, OutputListener } from '../../core/executor.ts';
import type { LauncherReply, LauncherRequest } from './launcher-client.ts';
import { startProcess } from './run-process.ts';

/** The main module of the launcher process: see launcher-client.ts. */
const running = new Map<number, Execution>();
const everything = new AbortController();

process.on('message', async (request: LauncherRequest) => {
  if (request.type === 'kill') {
    running.get(request.id)?.kill();
    return;
  }
  const { id, command, hasListener } = request;
  const execution = startProcess(hasListener ? withOutputSent(id, command) : command, everything.signal);
  running.set(id, execution);
  const executed = await execution.wait();
  running.delete(id);
  reply({ type: 'ended', id, executed });
});

// Who started us is gone: nothing of theirs goes on.
process.on('disconnect', async () => {
  everything.abort();
  await Promise.all([...running.values()].map((execution) => execution.wait()));
  process.exit();
});

function reply(message: LauncherReply): void {
  if (process.connected) process.send?.(message);
}

// What a terminal or an init system sends to everybody is for the one who started us to act on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

reply({ type: 'ready' });

/** Above the first, programs are paused; below the second they resume. */
const PAUSE_BYTES = 4 * 1024 * 1024;
const RESUME_BYTES = 1024 * 1024;

let bytesInFlight = 0;
let paused: (() => void)[] = [];

/** The command with a listener that sends its output to the process that requested the command. */
function withOutputSent(id: number, command: Command): Command {
  const onOutput: OutputListener = (stream, bytes) => {
    if (!process.connected) return undefined;
    const base64 = Buffer.from(bytes).toString('base64');
    bytesInFlight += bytes.length;
    process.send?.({ type: 'output', id, stream, base64 } satisfies LauncherReply, () => {
      bytesInFlight -= bytes.length;
      if (bytesInFlight > RESUME_BYTES) return;
      for (const resume of paused) resume();
      paused = [];
    });
    if (bytesInFlight <= PAUSE_BYTES) return undefined;
    return new Promise((resolve) => paused.push(resolve));
  };
  return { ...command, onOutput };
}
