import { newRunId } from '../../home/app/run-id.ts';
import { orderTasks } from '../../home/core/dependencies.ts';
import type { Home } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { RunOptions } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import { nightLabel } from '../../platform/core/text/times.ts';
import { clearStaging } from './clear-staging.ts';
import type { NightEffects } from './effects.ts';
import { freeLabel } from './free-label.ts';
import { makeNight } from './make-night.ts';
import type { Night } from './night.ts';
import { type InterruptedNight, readInterrupted } from './read-interrupted.ts';
import { selectTasks } from './select-tasks.ts';
import { settleInterrupted } from './settle-interrupted.ts';
import { takeHome } from './take-home.ts';
import { endEverywhere } from './task-executor.ts';

export interface NightRequest {
  readonly home: Home;
  readonly options: RunOptions;
  readonly seed?: number;
  /** Complete the interrupted night instead of starting one, where there is one. */
  readonly resume: boolean;
}

export interface BegunNight {
  readonly night: Night;
  readonly isResumed: boolean;
  letGo(): void;
}

/** Takes the home, and either takes up the interrupted night or opens a new one. */
export async function beginNight(request: NightRequest, effects: NightEffects): Promise<BegunNight> {
  const { home } = request;
  selectTasks(home, request.options); // a wrong name is told before anything is touched
  const layout = homeLayout(home.dir);
  await effects.disk.makeDir(layout.own);
  const runId = newRunId(effects.clock.now(), effects.randomSeed());
  const release = await takeHome(home, runId, effects);
  try {
    await clearStaging(layout.staging, effects);
    const earlier = await readInterrupted(home, effects);
    if (earlier) await endLeftovers(earlier.run, home, effects);
    if (earlier && request.resume) return await takeUp(request, earlier, release, effects);
    if (earlier) await settleInterrupted(home, earlier, effects);
    if (request.resume)
      effects.report({ type: 'step', text: 'There is no interrupted night: starting a new one.' });
    return await open(request, runId, release, effects);
  } catch (error) {
    release();
    throw error;
  }
}

async function endLeftovers({ id }: Run, home: Home, effects: NightEffects): Promise<void> {
  const count = await endEverywhere(id, home, effects);
  if (count > 0)
    effects.report({
      type: 'warning',
      text: `Ended ${count} processes that the interrupted night ${id} left behind.`,
    });
}

async function takeUp(
  { home }: NightRequest,
  { run, options, events }: InterruptedNight,
  release: () => void,
  effects: NightEffects,
): Promise<BegunNight> {
  const night = await makeNight(home, run, options, effects);
  night.book.replay(events);
  await night.book.record({ type: 'resume', at: effects.clock.now(), ...bootOf(effects) });
  // After a power cut the files may lag behind the journal.
  for (const result of night.book.results) await night.book.writeStatusFile(result);
  await night.book.index(() => effects.store.saveStages(run.id, night.book.results));
  return toBegun(night, release, true);
}

async function open(
  { home, options, seed = home.seed }: NightRequest,
  id: string,
  release: () => void,
  effects: NightEffects,
): Promise<BegunNight> {
  const machine = await effects.machine.probe();
  const startedAt = effects.clock.now();
  const drawn = seed ?? effects.randomSeed();
  const { experiments } = selectTasks(home, options);
  const run: Run = {
    id,
    kind: 'night',
    project: home.project,
    label: await freeLabel(home, nightLabel(effects.clock.wall(startedAt)), effects.disk),
    state: 'running',
    startedAt,
    seed: drawn,
    machineId: machine.id,
    order: orderTasks(experiments, { order: home.order, seed: drawn }).map(({ name }) => name),
    origin: 'measured',
    warnings: [],
  };
  const night = await makeNight(home, run, options, effects);
  await night.book.record({ type: 'begin', run, machine, options, ...bootOf(effects) });
  await effects.disk.writeText(homeLayout(home.dir).current, `${id}\n`, { durable: true });
  await night.book.index(() => effects.store.saveMachine(machine));
  return toBegun(night, release, false);
}

function bootOf({ machine }: NightEffects): { readonly bootId?: string } {
  const bootId = machine.bootId();
  return bootId === undefined ? {} : { bootId };
}

function toBegun(night: Night, release: () => void, isResumed: boolean): BegunNight {
  const letGo = () => {
    night.book.close();
    release();
  };
  return { night, isResumed, letGo };
}
