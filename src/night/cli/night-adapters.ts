import { loadExecutor } from '../../executors/cli/place-options.ts';
import type { Executor } from '../../executors/core/executor.ts';
import type { Format } from '../../formats/core/format.ts';
import { localMachine } from '../../home/adapters/machine/local-machine.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { TelemetrySource } from '../../home/core/machine/telemetry-source.ts';
import { fileLocks } from '../../platform/adapters/file-locks.ts';
import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
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
  return {
    disk,
    clock,
    executor,
    loadExecutor,
    archiver: (await import('../../platform/adapters/tar/tar.ts')).tarArchiver,
    openControl: async () => (await import('../../git/adapters/git.ts')).gitSources(executor),
    store: await openSqliteStore(homeLayout(home).index),
    locks: fileLocks,
    machine: localMachine(),
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
  openPictures: async () => (await import('../../charts/adapters/resvg.ts')).resvg,
};
