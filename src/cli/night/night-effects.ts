import type { NightEffects } from '../../app/night/effects.ts';
import type { NightEvent } from '../../app/night/events.ts';
import { homeLayout } from '../../core/model/layout.ts';
import type { Archiver } from '../../core/ports/archiver.ts';
import type { CommitLog } from '../../core/ports/commit-log.ts';
import type { Executor } from '../../core/ports/executor.ts';
import type { Format } from '../../core/ports/format.ts';
import type { Locks } from '../../core/ports/lock.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import type { SourceControl } from '../../core/ports/source-control.ts';
import type { Store } from '../../core/ports/store.ts';
import type { TelemetrySource } from '../../core/ports/telemetry.ts';
import { loadAdapter, loadAll, loadExecutor } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import { subsystemTools } from './subsystem-tools.ts';

/** Puts the adapters of a night together. Close the store when the night is over. */
export async function nightEffects(
  home: string,
  context: CliContext,
  report: (event: NightEvent) => void,
): Promise<NightEffects> {
  const { disk, clock, signal, env, packageDir, hostName, processId, randomSeed } = context;
  const executor = await loadAdapter<Executor>('executors', 'process');
  const gitSources = await loadAdapter<(executor: Executor) => SourceControl & CommitLog>('sources', 'git');
  const control = gitSources(executor);
  const openStore = await loadAdapter<(file: string) => Promise<Store>>('stores', 'sqlite');
  return {
    disk,
    clock,
    executor,
    loadExecutor,
    archiver: await loadAdapter<Archiver>('archivers', 'tar'),
    control,
    commits: control,
    store: await openStore(homeLayout(home).index),
    locks: await loadAdapter<Locks>('locks', 'sqlite'),
    machine: await loadAdapter<MachineProbe>('machines', 'local'),
    telemetry: await loadAll<TelemetrySource>('telemetry'),
    formats: await loadAll<Format>('formats'),
    tools: subsystemTools,
    signal,
    env,
    kitDir: `${packageDir}/kit`,
    holder: { pid: processId, host: hostName },
    randomSeed,
    report,
  };
}
