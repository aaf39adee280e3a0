import type { PointColumns } from '../../../formats/core/sample.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';
import type { TelemetrySwitches } from '../../core/home.ts';
import { type TelemetryKind, telemetryIdentity, telemetryNumber } from '../../core/machine/telemetry-file.ts';
import { type RecordingEffects, recordSources } from './record-sources.ts';
import type { TelemetryColumn } from './telemetry-columns.ts';

export interface TelemetryRequest extends TelemetryFiles {
  readonly switches: TelemetrySwitches;
}

export interface TelemetryEffects extends RecordingEffects {
  readonly disk: Disk;
}

export interface TelemetryRecording {
  /** Ends the recording and writes its files. Never rejects for a fault of a source or of the disk: that is a note. */
  stop(): Promise<RecordedTelemetry>;
}

export interface RecordedTelemetry {
  readonly columns: readonly PointColumns[];
  /** What is missing in the recording, and why; one sentence each. */
  readonly notes: readonly string[];
}

/** Samples the machine beside a stage, and leaves the files of the dashboard. */
export async function startTelemetry(
  request: TelemetryRequest,
  effects: TelemetryEffects,
): Promise<TelemetryRecording> {
  const { switches } = request;
  if (!(switches.rateSeconds > 0) || !(switches.cpu || switches.gpu)) return nothing;

  const recording = recordSources(switches, effects);
  return {
    async stop() {
      const { startedAt, columns, notes } = await recording.stop();
      const points = telemetryPoints(request.experiment, startedAt, columns);
      try {
        await writeTelemetry(request, columns, effects.disk);
        return { columns: points, notes };
      } catch (error) {
        if (!(error instanceof NightmarkError)) throw error;
        const incomplete = `telemetry: its files are incomplete: ${messageOf(error)}`;
        return { columns: points, notes: [...notes, incomplete] };
      }
    },
  };
}

const nothing: TelemetryRecording = { stop: async () => ({ columns: [], notes: [] }) };

export interface TelemetryFiles {
  readonly experiment: string;
  /** The folder of the text files of a kind, one a group. */
  textDir(kind: TelemetryKind): string;
  jsonFile(kind: TelemetryKind): string;
  /** The timestamp in the files: of a night, its label. */
  readonly label: string;
}

export type RecordedColumns = Readonly<Record<TelemetryKind, readonly TelemetryColumn[]>>;

/** Writes the text files of the raw folder and the two JSON files, also the one without any reading. */
async function writeTelemetry(files: TelemetryFiles, recorded: RecordedColumns, disk: Disk): Promise<void> {
  for (const kind of ['cpu', 'gpu'] as const) {
    const groups = grouped(kind, recorded[kind]);
    const names = fileNames([...groups.keys()]);
    for (const [index, columns] of [...groups.values()].entries()) {
      const path = joinPath(files.textDir(kind), names[index] ?? '');
      await disk.writeText(path, textLines(kind, columns));
    }
    const json = kind === 'cpu' ? cpuJson(files.label, groups) : gpuJson(files.label, groups);
    await disk.writeText(files.jsonFile(kind), json);
  }
}

type Groups = ReadonlyMap<string, readonly TelemetryColumn[]>;

/** By group; a machine with several GPUs has a group for each field of each, one with a single GPU plain fields. */
function grouped(kind: TelemetryKind, columns: readonly TelemetryColumn[]): Groups {
  const hasSeveral = kind === 'gpu' && new Set(columns.map(({ label }) => label)).size > 1;
  const groups = new Map<string, TelemetryColumn[]>();
  for (const column of columns) {
    const name = hasSeveral ? `gpu${column.label}.${column.group}` : column.group;
    const group = name === 'timestamp' ? 'timestamp_' : name; // the key that the file itself needs
    const members = groups.get(group);
    if (members) members.push(column);
    else groups.set(group, [column]);
  }
  return groups;
}

/** In the order of time, and at one time in the order of the labels' first appearance. */
function textLines(kind: TelemetryKind, columns: readonly TelemetryColumn[]): string {
  const lines: string[] = [];
  const next = columns.map(() => 0);
  const nextTimes = () => columns.map((column, i) => column.elapsedAt(next[i] ?? 0));
  for (let now = least(nextTimes()); now < Number.POSITIVE_INFINITY; now = least(nextTimes())) {
    for (const [i, column] of columns.entries()) {
      const index = next[i] ?? 0;
      if (column.elapsedAt(index) !== now) continue;
      lines.push(textLine(kind, column, index));
      next[i] = index + 1;
    }
  }
  return lines.join('');
}

function least(times: readonly number[]): number {
  return times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function textLine(kind: TelemetryKind, column: TelemetryColumn, index: number): string {
  const [elapsed, value] = [column.elapsedAt(index), column.valueAt(index)];
  const cells =
    kind === 'cpu' ? [elapsed, column.label, value] : [elapsed, value, ...(column.unit ? [column.unit] : [])];
  return `${cells.join(' ').replace(/[\r\n]+/g, ' ')}\n`;
}

/** {timestamp, "<group>": {"<label>": [[elapsed, value], ...]}} */
function cpuJson(label: string, groups: Groups): string {
  return object([
    ['timestamp', pythonJson(label)],
    ...[...groups].map(([group, columns]): Field => {
      return [group, object(columns.map((column): Field => [column.label, pairs(column)]))];
    }),
  ]);
}

/** {timestamp, "<field>": {data: [[elapsed, value], ...], unit: text or null}} */
function gpuJson(label: string, groups: Groups): string {
  return object([
    ['timestamp', pythonJson(label)],
    ...[...groups].flatMap(([field, [column]]): readonly Field[] => {
      if (!column) return [];
      const unit = pythonJson(column.unit === '' ? null : column.unit);
      return [
        [
          field,
          object([
            ['data', pairs(column)],
            ['unit', unit],
          ]),
        ],
      ];
    }),
  ]);
}

type Field = readonly [key: string, json: string];

/** Built as text: the columns never become a tree of small arrays, and labels such as "0" keep their place. */
function object(fields: readonly Field[]): string {
  return `{${fields.map(([key, json]) => `${pythonJson(key)}: ${json}`).join(', ')}}`;
}

function pairs(column: TelemetryColumn): string {
  const texts: string[] = [];
  for (let index = 0; index < column.length; index++) {
    texts.push(`[${column.elapsedAt(index)}, ${pythonJson(column.valueAt(index))}]`);
  }
  return `[${texts.join(', ')}]`;
}

/** Bytes of a name that every file system takes, with room for a number and the ending of a temporary file. */
const MAX_LENGTH = 120;

/** Names of files for groups whose names come from devices: none leaves its folder, is hidden or meets another. */
export function fileNames(groups: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    const safe = safeName(group);
    let name = safe;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${safe}-${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function safeName(group: string): string {
  const plain = [...group]
    .map((character) => (character < ' ' || character === '/' || character === '\u007f' ? '_' : character))
    .join('')
    .replace(/^\./, '_');
  // Up to four bytes a character.
  const short = [...plain].slice(0, isAscii(plain) ? MAX_LENGTH : MAX_LENGTH / 4).join('');
  return short === '' ? '_' : short;
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** The recording as series for the store: numbers only, with the names that a reading of the files gives. */
export function telemetryPoints(
  experiment: string,
  startedAt: number,
  recorded: RecordedColumns,
): readonly PointColumns[] {
  return (['cpu', 'gpu'] as const).flatMap((kind) =>
    recorded[kind].flatMap((column) => {
      const points = toPoints(column, startedAt);
      if (points.times.length === 0) return [];
      return [{ ...telemetryIdentity(kind, experiment, column), unit: column.unit, ...points }];
    }),
  );
}

function toPoints(column: TelemetryColumn, startedAt: number): Pick<PointColumns, 'times' | 'values'> {
  const times = new Float64Array(column.length);
  const values = new Float64Array(column.length);
  let count = 0;
  for (let index = 0; index < column.length; index++) {
    const value = column.valueAt(index);
    const number = typeof value === 'number' ? value : telemetryNumber(value)?.value;
    if (number === undefined) continue;
    times[count] = Math.round(startedAt + column.elapsedAt(index) * 1000);
    values[count] = number;
    count++;
  }
  return { times: times.slice(0, count), values: values.slice(0, count) };
}
