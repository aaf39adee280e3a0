import type { Execution } from '../../core/executor.ts';
import type { LauncherReply, LauncherRequest } from './launcher-messages.ts';
import { startProcess } from './run-process.ts';
import { withOutputSent } from './send-output.ts';

/** The main module of the launcher process: see launcher-client.ts. */
const running = new Map<number, Execution>();
const everything = new AbortController();

process.on('message', async (request: LauncherRequest) => {
  if (request.type === 'kill') {
    running.get(request.id)?.kill();
    return;
  }
  const { id, command, isHeard } = request;
  const execution = startProcess(isHeard ? withOutputSent(id, command) : command, everything.signal);
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
