import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import { loadExecutor } from '../../executors/cli/place-options.ts';
import type { Executor } from '../../executors/core/executor.ts';
import type { Format } from '../../formats/core/format.ts';
import type { CommitLog } from '../../git/core/commit-log.ts';
import type { SourceControl } from '../../git/core/source-control.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import type { Store } from '../../home/core/store.ts';
import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import type { Archiver } from '../../platform/core/archiver.ts';
import type { Locks } from '../../platform/core/lock.ts';
import type { NightEffects, NightEvent } from '../app/night-effects.ts';
import type { SubsystemTools } from '../app/subsystems/subsystem-work.ts';

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

/** Most nights need neither Slack nor pictures: they are loaded when a subsystem needs them. */
const subsystemTools: SubsystemTools = {
  async openSlack(place) {
    const { slackTransport } = await import('../../publish/adapters/notifiers/slack/slack-api.ts');
    return slackTransport(place);
  },
  openPictures: () => loadAdapter<PictureMaker>('pictures', 'resvg'),
};
