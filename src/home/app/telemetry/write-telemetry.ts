import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';
import type { TelemetryKind } from '../../core/machine/telemetry-file.ts';
import type { TelemetryColumn } from './telemetry-columns.ts';
import { fileNames } from './telemetry-file-names.ts';

export interface TelemetryFiles {
  readonly experiment: string;
  /** Where the text files of a kind lie, one a group. */
  textDir(kind: TelemetryKind): string;
  jsonFile(kind: TelemetryKind): string;
  /** The timestamp in the files: of a night, its label. */
  readonly label: string;
}

export type RecordedColumns = Readonly<Record<TelemetryKind, readonly TelemetryColumn[]>>;

/** Writes the text files of the raw folder and the two JSON files, also the one without any reading. */
export async function writeTelemetry(
  files: TelemetryFiles,
  recorded: RecordedColumns,
  disk: Disk,
): Promise<void> {
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

/** In the order of time, and at one moment in the order of the labels' first appearance. */
function textLines(kind: TelemetryKind, columns: readonly TelemetryColumn[]): string {
  const lines: string[] = [];
  const next = columns.map(() => 0);
  const moments = () => columns.map((column, i) => column.elapsedAt(next[i] ?? 0));
  for (let now = least(moments()); now < Number.POSITIVE_INFINITY; now = least(moments())) {
    for (const [i, column] of columns.entries()) {
      const index = next[i] ?? 0;
      if (column.elapsedAt(index) !== now) continue;
      lines.push(textLine(kind, column, index));
      next[i] = index + 1;
    }
  }
  return lines.join('');
}

function least(moments: readonly number[]): number {
  return moments.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function textLine(kind: TelemetryKind, column: TelemetryColumn, index: number): string {
  const [elapsed, value] = [column.elapsedAt(index), column.valueAt(index)];
  const words =
    kind === 'cpu' ? [elapsed, column.label, value] : [elapsed, value, ...(column.unit ? [column.unit] : [])];
  return `${words.join(' ').replace(/[\r\n]+/g, ' ')}\n`;
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
