import type { Iterations } from '../../formats/core/format.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { dropUnmeasured, joinColumns, type MeasuredRun, measureRun } from '../core/analysis/measure-run.ts';
import { logRatiosOf, type RatioBins, ratioBins } from '../core/analysis/pair-ratios.ts';
import { type DuetIterations, groupKey, groupRuns, type RunGroup } from '../core/duet-iterations.ts';
import { formatResultName } from '../core/result-name.ts';
import type { DuetPlace } from './read-duet-list.ts';
import type { DuetReading } from './read-duet-view.ts';
import { resultsFolder } from './results-folder.ts';

/** What the page of a duet shows of one comparison beside its judgement. */
export interface DuetGroupView {
  /** Of all pairs of all runs. */
  readonly bins?: RatioBins;
  /** In the order of the runs of the analysis. */
  readonly orders: readonly DuetIterations['order'][];
}

/** One run: when each iteration ran, and which pairs were compared. Columns; microseconds after the first start. */
export interface DuetRunView {
  readonly runid: number;
  readonly order: DuetIterations['order'];
  /** Milliseconds since 1970; absent where the harness reports no timestamps. */
  readonly startedAt?: number;
  readonly A?: DuetTrack;
  readonly B?: DuetTrack;
  readonly pairs: {
    readonly a: readonly number[];
    readonly b: readonly number[];
    readonly ratios: readonly number[];
  };
  /** Pairs were made by the number of the iteration, not by overlap in time. */
  readonly isByNumber: boolean;
  /** Iterations and pairs that are not here. */
  readonly leftOut: number;
}

export interface DuetTrack {
  readonly numbers: readonly number[];
  /** Absent where the harness reports no timestamps. */
  readonly starts?: readonly number[];
  readonly times: readonly number[];
  /** How many at the beginning are warm-up. */
  readonly warmup: number;
}

/** As many as a browser draws without a noticeable delay. */
const MAX_SHOWN = 50_000;

/** Undefined where there is no such comparison. */
export function duetGroupView({ view, runs }: DuetReading, group: number): DuetGroupView | undefined {
  const members = membersOf({ view, runs }, group);
  if (!members) return undefined;
  const logs = members.map((run) => pairLogs(measureRun(run, view.analysis.options)));
  const bins = ratioBins(joinColumns(logs));
  return { ...(bins && { bins }), orders: members.map(({ order }) => order) };
}

/** The run of a comparison by its place; undefined where there is none. */
export function duetRunOf(reading: DuetReading, group: number, place: number): DuetIterations | undefined {
  return membersOf(reading, group)?.[place];
}

export function duetRunView({ view: { analysis } }: DuetReading, run: DuetIterations): DuetRunView {
  const measured = measureRun(run, analysis.options);
  const starts = [run.A?.starts?.[0], run.B?.starts?.[0]].filter((one) => one !== undefined);
  const first = starts.length === 0 ? 0 : Math.min(...starts);
  const track = (side: Side) => {
    const all = run[side];
    return all && toTrack(all, all.times.length - (measured[side]?.times.length ?? 0), first);
  };
  const [A, B] = [track('A'), track('B')];
  const logs = pairLogs(measured);
  const shown = Math.min(MAX_SHOWN, logs.length);
  const positions = (column: Int32Array | undefined, cut: number) =>
    Array.from((column ?? new Int32Array()).subarray(0, shown), (at) => at + cut);
  return {
    ...{ runid: run.runid, order: run.order },
    ...(starts.length > 0 && { startedAt: Number(run.originNs / 1_000n) / 1_000 + first / 1e6 }),
    ...(A && { A }),
    ...(B && { B }),
    pairs: {
      // Warm-up is cut at the beginning: positions after it, in the whole columns.
      a: positions(measured.pairs?.a, A?.warmup ?? 0),
      b: positions(measured.pairs?.b, B?.warmup ?? 0),
      ratios: Array.from(logs.subarray(0, shown), (log) => Number(Math.exp(log).toPrecision(7))),
    },
    isByNumber: measured.pairs?.by === 'number',
    leftOut: logs.length - shown + hiddenOf(run.A) + hiddenOf(run.B),
  };
}

function membersOf({ view, runs }: DuetReading, group: number): RunGroup | undefined {
  const wanted = view.analysis.groups[group];
  if (!wanted) return undefined;
  const key = groupKey(wanted);
  const same = runs.filter((run) => groupKey(run) === key).map((run) => dropUnmeasured(run).run);
  return groupRuns(same)[0];
}

function pairLogs({ A, B, pairs }: MeasuredRun): Float64Array {
  return A && B && pairs ? logRatiosOf({ A, B }, pairs) : new Float64Array();
}

function toTrack({ numbers, starts, times }: Iterations, warmup: number, first: number): DuetTrack {
  const micros = (column: Float64Array, from: number) =>
    Array.from(column.subarray(0, MAX_SHOWN), (ns) => Math.round((ns - from) / 100) / 10);
  return {
    numbers: Array.from(numbers.subarray(0, MAX_SHOWN)),
    ...(starts && { starts: micros(starts, first) }),
    times: micros(times, 0),
    warmup,
  };
}

function hiddenOf(side: Iterations | undefined): number {
  return Math.max(0, (side?.times.length ?? 0) - MAX_SHOWN);
}

/** What the machine did beside one run. */
interface DuetTelemetry {
  readonly series: readonly DuetTelemetrySeries[];
  readonly notes: readonly string[];
}

/** What the page of a run gets. */
export type DuetRunDocument = DuetRunView & { readonly telemetry: DuetTelemetry };

interface DuetTelemetrySeries {
  readonly name: string;
  readonly unit: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Nothing where none was recorded, or where the file is damaged. */
export async function readDuetTelemetry(
  { path, type: placeType }: DuetPlace,
  { suite, benchmark, runid, type, order }: DuetIterations,
  disk: Disk,
): Promise<DuetTelemetry> {
  const nothing = { series: [], notes: [] };
  if (placeType === 'table') return nothing;
  const name = formatResultName({ suite, benchmark, runid, type, order, pair: 'A', file: 'json' });
  const limits = { maxBytes: MAX_BYTES, within: path };
  const text = await disk.readText(resultsFolder(path).telemetry(name), limits);
  const read = text === undefined ? undefined : parsed(text);
  if (!isJsonObject(read)) return nothing;
  const { series, notes } = read;
  return {
    series: (Array.isArray(series) ? series : []).flatMap(toSeries),
    notes: (Array.isArray(notes) ? notes : []).filter((note) => typeof note === 'string'),
  };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toSeries(one: JsonValue): readonly DuetTelemetrySeries[] {
  if (!isJsonObject(one)) return [];
  const { name, tags, unit, times, values } = one;
  if (typeof name !== 'string' || !isNumbers(times) || !isNumbers(values)) return [];
  const label = isJsonObject(tags) ? (tags['label'] ?? tags['gpu']) : undefined;
  const title = typeof label === 'string' && label !== '' ? `${name} ${label}` : name;
  return [{ name: title, unit: typeof unit === 'string' ? unit : '', times, values }];
}

function isNumbers(value: JsonValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}
