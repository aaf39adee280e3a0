import { NightmarkError } from '../../core/errors.ts';
import { backupName, rawArchiveName } from '../../core/model/archive-names.ts';
import type { Home, Task } from '../../core/model/home.ts';
import { type JournalEvent, parseJournal, type RunOptions, trustedEvents } from '../../core/model/journal.ts';
import { homeLayout, runFiles } from '../../core/model/layout.ts';
import type { Run } from '../../core/model/run.ts';
import { joinPath } from '../../core/path.ts';
import { orderTasks } from '../../core/plan/dependencies.ts';
import { nightLabel } from '../../core/text/times.ts';
import type { NightEffects } from './effects.ts';
import type { Night } from './night.ts';
import { NightBook } from './night-book.ts';
import { newRunId } from './run-id.ts';
import { saveEnd } from './save-end.ts';
import { selectTasks } from './select-tasks.ts';
import { settleInterrupted } from './settle-interrupted.ts';
import { trialOf } from './trials.ts';

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
  end(): void;
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
    await effects.disk.remove(layout.staging);
    const earlier = await readInterrupted(home, effects);
    if (earlier) await endLeftovers(earlier.run, effects);
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

async function takeHome(
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

export interface InterruptedNight {
  readonly run: Run;
  readonly options: RunOptions;
  readonly events: readonly JournalEvent[];
}

async function readInterrupted(home: Home, effects: NightEffects): Promise<InterruptedNight | undefined> {
  const { disk, store } = effects;
  const id = (await disk.readText(homeLayout(home.dir).current))?.trim();
  if (!id) return undefined;
  const written = parseJournal((await disk.readText(runFiles(home.dir, id).journal)) ?? '');
  const events = trustedEvents(written, effects.machine.bootId());
  const begin = events.find((event) => event.type === 'begin');
  const end = events.find((event) => event.type === 'end');
  if (end) {
    // It died after its last word, perhaps before the index heard of it.
    await saveEnd(end.run, end.trials, store);
    await disk.remove(homeLayout(home.dir).current);
  }
  if (!begin || end) return undefined;
  return { run: begin.run, options: begin.options, events };
}

async function endLeftovers({ id }: Run, { executor, report }: NightEffects): Promise<void> {
  const count = await executor.endLeftovers(id);
  if (count > 0)
    report({
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
    label: await freeLabel(home, nightLabel(effects.clock.wall(startedAt)), effects),
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
  const end = () => {
    night.book.close();
    release();
  };
  return { night, isResumed, end };
}

async function makeNight(home: Home, run: Run, options: RunOptions, effects: NightEffects): Promise<Night> {
  const layout = homeLayout(home.dir);
  const files = runFiles(home.dir, run.id);
  const tvmHome = effects.env['TVM_HOME'];
  await effects.executor.ready();
  const tvm = tvmHome === undefined ? undefined : await effects.control.describe(tvmHome);
  const tasks = new Map(home.tasks.map((task) => [`${task.kind}/${task.name}`, task]));
  const book: NightBook = new NightBook(
    {
      journal: await effects.disk.openJournal(files.journal),
      layout,
      runId: run.id,
      trialOf: ({ kind, task: name }) => {
        const task = tasks.get(`${kind}/${name}`);
        return task && trialOf(task, run.id, book);
      },
    },
    effects,
  );
  return {
    home,
    run,
    options,
    layout,
    files,
    raw: rawPlaces(home, run.label),
    book,
    effects,
    ...selectTasks(home, options),
    tvmHash: tvm?.shortCommit,
  };
}

export function rawPlaces(home: Home, label: string): Night['raw'] {
  const { tmp } = home.folders;
  return {
    dir: joinPath(tmp, `benchmarks_${label}`),
    archive: joinPath(tmp, rawArchiveName(label)),
  };
}

/** A label that names no earlier night's files: two nights in one minute must not overwrite each other. */
async function freeLabel(home: Home, label: string, { disk }: NightEffects): Promise<string> {
  const layout = homeLayout(home.dir);
  const experiments: readonly Task[] = home.tasks.filter(({ kind }) => kind === 'experiment');
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
