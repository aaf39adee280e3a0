import { type JournalEvent, parseJournal } from '../../core/journal.ts';
import type { Machine, Run, StageResult, Trial } from '../../core/run.ts';
import { trialsSoFar } from './trials-so-far.ts';

export interface JournalReading {
  readonly machine: Machine | undefined;
  readonly run: Run;
  readonly trials: readonly Trial[];
  readonly stages: readonly StageResult[];
}

/** What a journal says about its run. One without an end is that of a run that was interrupted. */
export function readJournal(id: string, text: string): JournalReading {
  const events = parseJournal(text);
  for (const [index, event] of events.entries()) {
    if (!isUsable(event))
      throw new Error(`Event ${index + 1} of the journal has not the form it should have.`);
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

/** The journal is ours, but a home may come from anywhere: what goes into the index is looked at first. */
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
      // Steps and resumes tell the index nothing, nor do events of a later version.
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
