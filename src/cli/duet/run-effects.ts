import type { DuetRunEffects } from '../../app/duet/run-effects.ts';
import type { DuetRunEvent } from '../../app/duet/run-events.ts';
import type { Executor } from '../../core/ports/executor.ts';
import type { Locks } from '../../core/ports/lock.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import type { MakeSandboxes } from '../../core/ports/sandbox.ts';
import type { TelemetrySource } from '../../core/ports/telemetry.ts';
import { loadAdapter, loadAll } from '../adapters.ts';
import type { CliContext } from '../context.ts';

/** Puts the adapters of a duet run together. */
export async function duetRunEffects(
  context: CliContext,
  report: (event: DuetRunEvent) => void,
): Promise<DuetRunEffects> {
  const { disk, clock, signal, env, cwd, version, hostName, processId, randomSeed } = context;
  const executor = await loadAdapter<Executor>('executors', 'process');
  const tools = { executor, env };
  return {
    disk,
    clock,
    executor,
    sandboxes: {
      process: (await loadAdapter<MakeSandboxes>('sandboxes', 'process'))(tools),
      container: (await loadAdapter<MakeSandboxes>('sandboxes', 'container'))(tools),
    },
    locks: await loadAdapter<Locks>('locks', 'sqlite'),
    machine: await loadAdapter<MachineProbe>('machines', 'local'),
    telemetry: await loadAll<TelemetrySource>('telemetry'),
    signal,
    cwd,
    env,
    version,
    holder: { pid: processId, host: hostName },
    randomSeed,
    report,
  };
}
