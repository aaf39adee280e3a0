import { newRunId } from '../../home/app/run-id.ts';
import type { Home } from '../../home/core/home.ts';
import { backupName, homeLayout, runFiles } from '../../home/core/home-layout.ts';
import { type JournalEvent, parseJournal, type RunOptions, trustedEvents } from '../../home/core/journal.ts';
import type { Run } from '../../home/core/run.ts';
import { orderTasks } from '../../home/core/task-order.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { nightLabel } from '../../platform/core/text/times.ts';
import { packRaw } from './archive-night.ts';
import { saveEnd } from './conclude-night.ts';
import { makeNight, type Night, rawPlaces, selectTasks } from './night.ts';
import type { NightEffects } from './night-effects.ts';
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
  release(): void;
}

/** Locks the home, and either resumes the interrupted night or opens a new one. */
export async function beginNight(request: NightRequest, effects: NightEffects): Promise<BegunNight> {
  const { home } = request;
  selectTasks(home, request.options); // refuses wrong names before anything is touched
  const layout = homeLayout(home.dir);
  await effects.disk.makeDir(layout.own);
  const runId = newRunId(effects.clock.now(), effects.randomSeed());
  const release = await lockHome(home, runId, effects);
  try {
    await clearStaging(layout.staging, effects);
    const earlier = await readInterrupted(home, effects);
    if (earlier) await endLeftovers(earlier.run, home, effects);
    if (earlier && request.resume) return await resumeNight(request, earlier, release, effects);
    if (earlier) await closeInterrupted(home, earlier, effects);
    if (request.resume)
      effects.report({ type: 'step', text: 'There is no interrupted night: starting a new one.' });
    return await openNight(request, runId, release, effects);
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

async function resumeNight(
  { home }: NightRequest,
  { run, options, events }: InterruptedNight,
  release: () => void,
  effects: NightEffects,
): Promise<BegunNight> {
  const night = await makeNight(home, run, options, effects);
  night.recorder.replay(events);
  await night.recorder.record({ type: 'resume', at: effects.clock.now(), ...bootOf(effects) });
  // After a power cut the files may lag behind the journal.
  for (const result of night.recorder.results) await night.recorder.writeStatusFile(result);
  await night.recorder.index(() => effects.store.saveStages(run.id, night.recorder.results));
  return toBegunNight(night, release, true);
}

async function openNight(
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
    label: await findFreeLabel(home, nightLabel(effects.clock.wall(startedAt)), effects.disk),
    state: 'running',
    startedAt,
    seed: drawn,
    machineId: machine.id,
    order: orderTasks(experiments, { order: home.order, seed: drawn }).map(({ name }) => name),
    origin: 'measured',
    warnings: [],
  };
  const night = await makeNight(home, run, options, effects);
  await night.recorder.record({ type: 'begin', run, machine, options, ...bootOf(effects) });
  await effects.disk.writeText(homeLayout(home.dir).current, `${id}\n`, { durable: true });
  await night.recorder.index(() => effects.store.saveMachine(machine));
  return toBegunNight(night, release, false);
}

function bootOf({ machine }: NightEffects): { readonly bootId?: string } {
  const bootId = machine.bootId();
  return bootId === undefined ? {} : { bootId };
}

function toBegunNight(night: Night, unlock: () => void, isResumed: boolean): BegunNight {
  const closeAndUnlock = () => {
    night.recorder.close();
    unlock();
  };
  return { night, isResumed, release: closeAndUnlock };
}

/** Locks a home, or throws with who holds the lock. Returns how to unlock it. */
async function lockHome(
  home: Home,
  runId: string,
  { locks, clock, holder }: NightEffects,
): Promise<() => void> {
  const { lock } = homeLayout(home.dir);
  const since = new Date(clock.now()).toISOString();
  const outcome = await locks.acquire(lock, { run: runId, pid: holder.pid, host: holder.host, since });
  if (outcome.state === 'acquired') return () => outcome.release();
  const { run, pid, host, since: heldSince } = outcome.holder;
  throw new NightmarkError(
    'RUN_LOCKED',
    `A night is running on ${home.dir}: ${run} by process ${pid} on ${host} since ${heldSince}.`,
    {
      hint: '"nightmark status" shows how far it is. Wait for it, or end it with Ctrl-C or kill.',
    },
  );
}

/** A file that did not change for so long was left by a process that died. */
const STALE_MS = 3_600_000;

/** Removes unfinished files of processes that died. Other processes, such as a submission that packs its code, may still write there. */
export async function clearStaging(
  staging: string,
  { disk, clock }: { readonly disk: Disk; readonly clock: Pick<Clock, 'now'> },
): Promise<void> {
  for (const { name } of await disk.list(staging)) {
    const path = joinPath(staging, name);
    const facts = await disk.stat(path);
    // An entry without facts is a broken link.
    if (facts === undefined || facts.changedAt < clock.now() - STALE_MS) await disk.remove(path);
  }
}

export interface InterruptedNight {
  readonly run: Run;
  readonly options: RunOptions;
  readonly events: readonly JournalEvent[];
}

/** The interrupted night, if there is one. */
async function readInterrupted(home: Home, effects: NightEffects): Promise<InterruptedNight | undefined> {
  const { disk, store } = effects;
  const id = (await disk.readText(homeLayout(home.dir).current))?.trim();
  if (!id) return undefined;
  const written = parseJournal((await disk.readText(runFiles(home.dir, id).journal)) ?? '');
  const events = trustedEvents(written, effects.machine.bootId());
  const begin = events.find((event) => event.type === 'begin');
  const end = events.findLast((event) => event.type === 'end');
  if (end) {
    // It was killed after its end was recorded, perhaps before the index was updated.
    await saveEnd(end.run, end.trials, store);
    await disk.remove(homeLayout(home.dir).current);
  }
  if (!begin || end) return undefined;
  return { run: begin.run, options: begin.options, events };
}

/** Closes a night that will not be resumed: its raw data is archived, its record says interrupted. */
async function closeInterrupted(
  home: Home,
  { run, events }: InterruptedNight,
  effects: NightEffects,
): Promise<void> {
  const { disk, clock, report } = effects;
  report({
    type: 'warning',
    text: `The night ${run.id} was interrupted and is closed as it is; --resume would have completed it.`,
  });
  const raw = rawPlaces(home, run.label);
  const isArchived = events.some((event) => event.type === 'step' && event.step === 'archive');
  if ((await disk.stat(raw.dir)) !== undefined) {
    if (!isArchived) await packRaw(raw, effects);
    await disk.remove(raw.dir);
  }
  const ended: Run = { ...run, state: 'interrupted', endedAt: clock.now() };
  const journal = await disk.openJournal(runFiles(home.dir, run.id).journal);
  // Begins on a line of its own, also after one that a crash cut off.
  journal.append(`\n${JSON.stringify({ type: 'end', run: ended, trials: [] })}\n`);
  journal.flush();
  journal.close();
  await disk.remove(homeLayout(home.dir).current);
}

/** A label that names no earlier night's files: two nights in one minute must not overwrite each other. */
async function findFreeLabel(home: Home, label: string, disk: Disk): Promise<string> {
  const layout = homeLayout(home.dir);
  const experiments = home.tasks.filter(({ kind }) => kind === 'experiment');
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? label : `${label}-${count}`;
    const { dir, archive } = rawPlaces(home, candidate);
    const taken = [
      dir,
      archive,
      joinPath(home.folders.backup, backupName(candidate, 'before')),
      ...experiments.map(({ name }) => joinPath(layout.data(name), `data_${candidate}.json`)),
    ];
    const found = await Promise.all(taken.map((path) => disk.stat(path)));
    if (found.every((facts) => facts === undefined)) return candidate;
  }
}
