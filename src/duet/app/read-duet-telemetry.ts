import type { Disk } from '../../platform/core/disk.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { DuetIterations } from '../core/duet-iterations.ts';
import { formatResultName } from '../core/result-name.ts';
import type { DuetPlace } from './home-duets.ts';
import type { DuetRunView } from './read-duet-group.ts';
import { resultsFolder } from './run-folder.ts';

/** What the machine did beside one run. */
export interface DuetTelemetry {
  readonly series: readonly DuetTelemetrySeries[];
  readonly notes: readonly string[];
}

/** What the page of a run gets. */
export type DuetRunDocument = DuetRunView & { readonly telemetry: DuetTelemetry };

export interface DuetTelemetrySeries {
  readonly name: string;
  readonly unit: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Nothing where none was recorded, or where the file is damaged. */
export async function readDuetTelemetry(
  { path, type: placeType }: DuetPlace,
  { suite, benchmark, runid, type, order }: DuetIterations,
  disk: Disk,
): Promise<DuetTelemetry> {
  const nothing = { series: [], notes: [] };
  if (placeType === 'table') return nothing;
  const name = formatResultName({ suite, benchmark, runid, type, order, pair: 'A', file: 'json' });
  const limits = { maxBytes: MOST_BYTES, within: path };
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
  const words = typeof label === 'string' && label !== '' ? `${name} ${label}` : name;
  return [{ name: words, unit: typeof unit === 'string' ? unit : '', times, values }];
}

function isNumbers(value: JsonValue | undefined): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number');
}
