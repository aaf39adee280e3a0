import type { Executor } from '../../executors/core/executor.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry.ts';
import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import type { Locks } from '../../platform/core/lock.ts';
import type { DuetRunEffects, DuetRunEvent } from '../app/run-effects.ts';
import type { MakeSandboxes } from '../core/sandbox.ts';

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
