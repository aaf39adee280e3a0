import { stableName } from '../../../formats/core/stable-names.ts';
import type { Absentee, ChangeState, JudgedSeries, Shift, SourceRange } from './change.ts';
import type { ChangeEvent, Sighting } from './change-ledger.ts';

export const CHANGE_STATES: readonly ChangeState[] = ['new', 'confirmed', 'expected', 'fixed', 'false'];

/** An event as a line. JSON has no infinities: an end of an interval that is unknown is null. */
export function ledgerLine(event: ChangeEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * The event of a line; undefined where invalid. A home may come from anywhere, and a line may be torn: nothing is
 * taken for granted. Events of a later version are undefined as well, and stay in the file.
 */
export function parseLedgerLine(line: string): ChangeEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isRecord(value) && isNumber(value['at']) ? eventOf(value, value['at']) : undefined;
}

const BETTER = ['lower', 'higher', 'unknown'] as const;
const DIRECTIONS = ['better', 'worse', 'unknown'] as const;
const ORIGINS = ['declared', 'format', 'inferred'] as const;

type UnknownRecord = Readonly<Record<string, unknown>>;

function eventOf(value: UnknownRecord, at: number): ChangeEvent | undefined {
  const { type, id, series, state, note, author, reason } = value;
  switch (type) {
    case 'found':
    case 'moved':
    case 'confirmed': {
      const change = sightingOf(value['change']);
      return change && { type, at, change };
    }
    case 'withdrawn':
      return isText(id) ? { type, at, id, reason: isText(reason) ? reason : '' } : undefined;
    case 'directed':
      return directedOf(value, at);
    case 'triaged':
      if (!isText(id) || !CHANGE_STATES.some((known) => known === state)) return undefined;
      return {
        ...{ type, at, id, state: state as ChangeState },
        ...(isText(note) && { note }),
        ...(isText(author) && { author }),
      };
    case 'duet':
      return duetOf(value, at);
    case 'explained': {
      const { runId, sentence } = value;
      return isText(id) && isText(runId) && isText(sentence) ? { type, at, id, runId, sentence } : undefined;
    }
    case 'commits': {
      const { runId, sources } = value;
      const isUsable = Array.isArray(sources) && sources.every(isSourceRange);
      return isText(id) && isText(runId) && isUsable ? { type, at, id, runId, sources } : undefined;
    }
    case 'missing': {
      const { lastAt, lastRunId, count } = value;
      if (!isAbsentee(series) || !isNumber(lastAt) || !isText(lastRunId)) return undefined;
      return { type, at, series: stable(series), lastAt, lastRunId, ...(isNumber(count) && { count }) };
    }
    case 'returned': {
      const known = (['inactive', 'gone'] as const).find((it) => it === reason);
      return isAbsentee(series)
        ? { type, at, series: stable(series), ...(known && { reason: known }) }
        : undefined;
    }
    case 'judged':
      return judgedOf(value, at);
    default:
      return undefined;
  }
}

function directedOf(
  { id, better, betterFrom, direction }: UnknownRecord,
  at: number,
): ChangeEvent | undefined {
  const [way, verdict] = [BETTER.find((it) => it === better), DIRECTIONS.find((it) => it === direction)];
  const from = ORIGINS.find((it) => it === betterFrom);
  if (!isText(id) || way === undefined || verdict === undefined) return undefined;
  return { type: 'directed', at, id, better: way, direction: verdict, ...(from && { betterFrom: from }) };
}

function judgedOf({ detector, series, until }: UnknownRecord, at: number): ChangeEvent | undefined {
  if (!isText(detector) || !isNumber(series) || !isRecord(until)) return undefined;
  const { run, payloadAt } = until;
  if (!isText(run) || !isNumber(payloadAt)) return undefined;
  return { type: 'judged', at, detector, series, until: { run, payloadAt } };
}

function duetOf(value: UnknownRecord, at: number) {
  const { id, state, source, before, after, pairs, metric, effect } = value;
  const texts = [id, source, before, after].every(isText);
  const known = (['confirmed', 'withdrawn', 'unclear'] as const).find((it) => it === state);
  if (!texts || known === undefined || !isNumber(pairs)) return undefined;
  const names = { id: String(id), source: String(source), before: String(before), after: String(after) };
  const { ratio, low, high } = isRecord(effect) ? effect : {};
  const isWhole = isNumber(ratio) && isNumber(low) && isNumber(high);
  return {
    ...({ type: 'duet', at, state: known, pairs, ...names } as const),
    ...(isText(metric) && { metric }),
    ...(isWhole && { effect: { ratio, low, high } }),
  };
}

function sightingOf(value: unknown): Sighting | undefined {
  if (!isRecord(value) || !hasSightingFields(value)) return undefined;
  const shift = shiftOf(value.shift);
  return shift && { ...value, series: stable(value.series), shift };
}

function hasSightingFields(value: UnknownRecord): value is UnknownRecord & Sighting {
  return (
    isSeries(value['series']) &&
    ['id', 'unit', 'runId', 'detector'].every((key) => isText(value[key])) &&
    ['at', 'before', 'after', 'p'].every((key) => isNumber(value[key])) &&
    BETTER.some((it) => it === value['better']) &&
    DIRECTIONS.some((it) => it === value['direction']) &&
    (value['betterFrom'] === undefined || ORIGINS.some((it) => it === value['betterFrom'])) &&
    typeof value['isProvisional'] === 'boolean'
  );
}

function isSourceRange(value: unknown): value is SourceRange {
  if (!isRecord(value)) return false;
  const { source, before, after, commits } = value;
  const isNamed = (commit: unknown) => isRecord(commit) && isText(commit['hash']);
  return [source, before, after].every(isText) && Array.isArray(commits) && commits.every(isNamed);
}

function shiftOf(value: unknown): Shift | undefined {
  if (!isRecord(value) || !isNumber(value['difference']) || !isNumber(value['level'])) return undefined;
  const { difference, level, relative } = value;
  const shift = { difference, level, ...ends(value) };
  return isRecord(relative) && isNumber(relative['change'])
    ? { ...shift, relative: { change: relative['change'], ...ends(relative) } }
    : shift;
}

function ends({ low, high }: UnknownRecord): { readonly low: number; readonly high: number } {
  return {
    low: isNumber(low) ? low : Number.NEGATIVE_INFINITY,
    high: isNumber(high) ? high : Number.POSITIVE_INFINITY,
  };
}

function isAbsentee(value: unknown): value is Absentee {
  if (!isRecord(value)) return false;
  const { kind, experiment, workload } = value;
  if (kind === 'experiment') return isText(experiment);
  return kind === 'workload' ? isText(workload) : isSeries(value);
}

/** Names of lines that an earlier version wrote may hold checkouts. */
function stable<T extends Absentee>(series: T): T {
  return series.kind === 'value'
    ? { ...series, path: series.path.map((name) => stableName(name, {})) }
    : series;
}

function isSeries(value: unknown): value is JudgedSeries {
  if (!isRecord(value)) return false;
  const { kind, experiment, path, name, labels, machine, measure } = value;
  if (kind === 'machine') return isText(machine) && isText(measure);
  if (kind === 'kpi') return isText(name) && isRecord(labels);
  return kind === 'value' && isText(experiment) && Array.isArray(path) && path.every(isText);
}

const isRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
