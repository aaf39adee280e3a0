import type { SampleSet } from '../../../formats/core/sample.ts';
import { stableSamples } from '../../../formats/core/stable-names.ts';
import { baseName, dirName, joinPath } from '../../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { runFiles } from '../../core/home-layout.ts';
import { type JournalEvent, parseJournal } from '../../core/journal.ts';
import type { Machine, Run, StageResult, Trial } from '../../core/run.ts';
import {
  filesIn,
  foldersIn,
  inGroups,
  type ReindexEffects,
  type ReindexProgress,
  readWhole,
} from './reindex-progress.ts';

/** A night of 1,000 experiments writes about 3 MB; long messages may make it more. */
const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;
const MAX_SAMPLES_BYTES = 256 * 1024 * 1024;

/** Every run that Nightmark itself has done: its journal, and the raw samples beside it. */
export async function indexJournals(
  dir: string,
  progress: ReindexProgress,
  effects: ReindexEffects,
): Promise<void> {
  const { disk, store } = effects;
  const ids = await foldersIn(dir, disk, progress);
  await inGroups(store, ids, async (id) => {
    const { journal } = runFiles(progress.home, id);
    const reading = await progress.attempt(journal, async () =>
      readJournal(id, await readWhole(dirName(journal), baseName(journal), disk, MAX_JOURNAL_BYTES)),
    );
    if (!reading) return;
    await saveReading(reading, effects);
    progress.labels.set(reading.run.label, { id, startedAt: reading.run.startedAt });
    progress.count('journals');
    await indexSamples(reading, progress, effects);
  });
}

async function saveReading({ machine, run, trials, stages }: JournalReading, { store }: ReindexEffects) {
  if (machine) await store.saveMachine(machine);
  await store.saveRun(run);
  await store.saveTrials(trials);
  await store.saveStages(run.id, stages);
}

async function indexSamples(
  { run, trials }: JournalReading,
  progress: ReindexProgress,
  effects: ReindexEffects,
): Promise<void> {
  const dir = dirName(runFiles(progress.home, run.id).samples('any'));
  for (const name of await filesIn(dir, effects.disk, progress)) {
    if (!name.endsWith('.json')) continue;
    const task = name.slice(0, -'.json'.length);
    const commits = trials.find((trial) => trial.kind === 'experiment' && trial.task === task)?.commits ?? {};
    // Names of files that an earlier version wrote may hold paths of the run.
    const samples: readonly SampleSet[] | undefined = await progress.attempt(joinPath(dir, name), async () =>
      stableSamples(readSamples(await readWhole(dir, name, effects.disk, MAX_SAMPLES_BYTES)), { commits }),
    );
    if (!samples) continue;
    await effects.store.saveSamples(run.id, task, samples);
    progress.count('sampleFiles');
    const values = effects.sampleValues?.(task, samples) ?? [];
    await effects.store.saveValues({ runId: run.id, task, at: run.startedAt, values });
  }
}

export interface JournalReading {
  readonly machine: Machine | undefined;
  readonly run: Run;
  readonly trials: readonly Trial[];
  readonly stages: readonly StageResult[];
}

/** Reads the journal of a run. One without an end is that of an interrupted run. */
export function readJournal(id: string, text: string): JournalReading {
  const events = parseJournal(text);
  for (const [index, event] of events.entries()) {
    if (!isUsable(event)) throw new Error(`Event ${index + 1} of the journal is malformed.`);
  }
  const begin = events.find((event) => event.type === 'begin');
  if (!begin) throw new Error('The journal has no beginning.');
  const end = events.findLast((event) => event.type === 'end');
  const run = end?.run ?? { ...begin.run, state: 'interrupted' as const };
  if (run.id !== id) throw new Error(`The journal is that of run "${run.id}", not of its folder.`);
  const trials = end?.trials ?? trialsSoFar(begin.run, events);
  if (trials.some(({ runId }) => runId !== id)) throw new Error('The journal names trials of another run.');
  const stages = events.flatMap((event) => (event.type === 'stage' ? [event.result] : []));
  return { machine: begin.machine, run, trials, stages };
}

/** The journal is ours, but a home may come from anywhere: what goes into the index is checked first. */
function isUsable(event: unknown): event is JournalEvent {
  if (!isRecord(event)) return false;
  switch (event['type']) {
    case 'begin':
      return isRun(event['run']) && (event['machine'] === undefined || isMachine(event['machine']));
    case 'end':
      return isRun(event['run']) && Array.isArray(event['trials']) && event['trials'].every(isTrial);
    case 'stage':
      return isStage(event['result']);
    case 'commits':
      return areTexts(event, ['task']) && isRecord(event['commits']);
    case 'skip':
      return areTexts(event, ['task', 'kind', 'reason']);
    default:
      // The index needs no steps and resumes, nor events of a later version.
      return typeof event['type'] === 'string';
  }
}

function isRun(value: unknown): value is Run {
  return (
    isRecord(value) &&
    areTexts(value, ['id', 'kind', 'project', 'label', 'state', 'origin']) &&
    isNumber(value['startedAt']) &&
    ['endedAt', 'seed'].every((key) => value[key] === undefined || isNumber(value[key])) &&
    ['undefined', 'string'].includes(typeof value['machineId']) &&
    areTextLists(value, ['order', 'warnings'])
  );
}

function isMachine(value: unknown): boolean {
  return isRecord(value) && areTexts(value, ['id', 'name']) && isRecord(value['facts']);
}

function isTrial(value: unknown): value is Trial {
  return (
    isRecord(value) &&
    areTexts(value, ['runId', 'task', 'kind', 'state', 'message']) &&
    ['title', 'failedStage'].every((key) => ['undefined', 'string'].includes(typeof value[key])) &&
    ['startedAt', 'durationMs'].every((key) => value[key] === undefined || isNumber(value[key])) &&
    isRecord(value['commits'])
  );
}

function isStage(value: unknown): value is StageResult {
  return (
    isRecord(value) &&
    areTexts(value, ['task', 'kind', 'stage', 'message']) &&
    typeof value['success'] === 'boolean' &&
    ['startedAt', 'durationMs'].every((key) => isNumber(value[key])) &&
    Number.isSafeInteger(value['attempts']) &&
    isRecord(value['extra']) &&
    ['undefined', 'string'].includes(typeof value['log']) &&
    (value['exit'] === undefined || isRecord(value['exit']))
  );
}

type UnknownRecord = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const areTexts = (value: UnknownRecord, keys: readonly string[]) =>
  keys.every((key) => typeof value[key] === 'string');
const areTextLists = (value: UnknownRecord, keys: readonly string[]) =>
  keys.every((key) => {
    const list = value[key];
    return Array.isArray(list) && list.every((item) => typeof item === 'string');
  });

/** The trials of a run that did not end, as far as its journal has them. */
function trialsSoFar(run: Run, events: readonly JournalEvent[]): readonly Trial[] {
  const trials = new Map<string, Trial>();
  const update = (kind: Trial['kind'], task: string, change: (known: Trial) => Trial) => {
    const key = `${kind} ${task}`;
    trials.set(key, change(trials.get(key) ?? waiting(run.id, kind, task)));
  };
  for (const task of run.order) update('experiment', task, (known) => known);
  for (const event of events) {
    if (event.type === 'stage') {
      update(event.result.kind, event.result.task, (known) => afterStage(known, event.result));
    } else if (event.type === 'skip') {
      update(event.kind, event.task, (known) => ({ ...known, state: 'skipped', message: event.reason }));
    } else if (event.type === 'commits') {
      update('experiment', event.task, (known) => ({ ...known, commits: event.commits }));
    }
  }
  return [...trials.values()];
}

function waiting(runId: string, kind: Trial['kind'], task: string): Trial {
  return { runId, task, kind, state: 'waiting', message: '', commits: {} };
}

function afterStage(
  known: Trial,
  { stage, kind, success, message, startedAt, durationMs }: StageResult,
): Trial {
  if (stage === 'precheck') {
    if (!success) return { ...known, state: 'failed', failedStage: stage, message };
    return message === 'Inactive' ? { ...known, state: 'inactive', message } : known;
  }
  const times = {
    startedAt: known.startedAt ?? startedAt,
    durationMs: (known.durationMs ?? 0) + durationMs,
  };
  // The first failure counts, also when visualize failed and summarize went on.
  if (known.state === 'failed') return { ...known, ...times };
  if (!success) return { ...known, ...times, state: 'failed', failedStage: stage, message };
  const isLast = kind === 'subsystem' ? stage === 'run' : stage === 'summarize';
  return { ...known, ...times, state: isLast ? 'succeeded' : 'running' };
}

/** The samples of one task as the night wrote them: {"samples": [...]}. */
function readSamples(text: string): readonly SampleSet[] {
  const parsed = JSON.parse(text) as JsonValue;
  const samples = isJsonObject(parsed) ? parsed['samples'] : undefined;
  if (!Array.isArray(samples)) throw new Error('It has no list "samples".');
  return samples.map((set: JsonValue, index) => {
    if (!isSampleSet(set)) throw new Error(`Entry ${index + 1} of "samples" is not a set of samples.`);
    return set;
  });
}

function isSampleSet(value: unknown): value is SampleSet {
  const set = value as Partial<SampleSet> | null;
  return (
    Array.isArray(set?.benchmark) &&
    set.benchmark.every((part) => typeof part === 'string') &&
    typeof set.metric === 'string' &&
    typeof set.unit === 'string' &&
    ['lower', 'higher', 'unknown'].includes(set.better ?? '') &&
    Array.isArray(set.values) &&
    set.values.every((sample) => typeof sample === 'number') &&
    typeof set.settings === 'object' &&
    set.settings !== null &&
    ['undefined', 'string'].includes(typeof set.original)
  );
}
