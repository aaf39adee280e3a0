import { homeLayout, runFiles } from '../../../home/core/home-layout.ts';
import {
  type JournalEvent,
  type PointResult,
  parseJournal,
  type RunOptions,
} from '../../../home/core/journal.ts';
import type { Machine } from '../../../home/core/run.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { whyInvalidName } from '../../../platform/core/path.ts';

/** Facts that only the journal of a run holds. */
export interface JournalFacts {
  /** As it was when the run began. */
  readonly machine?: Machine;
  readonly options?: RunOptions;
  /** When it was resumed after an interruption. */
  readonly resumedAt: readonly number[];
  readonly imported?: ImportOrigin;
  /** Points of matrices, by their experiment. */
  readonly points: ReadonlyMap<string, readonly PointResult[]>;
}

export type ImportOrigin = Omit<Extract<JournalEvent, { type: 'import' }>, 'type'>;

/** A line for each stage and point: a larger file is not a journal. */
const MAX_BYTES = 64 * 1024 * 1024;
const NOTHING: JournalFacts = { resumedAt: [], points: new Map() };

/** Nothing where retention removed the journal, or the run never had one. */
export async function readJournalFacts(home: string, runId: string, disk: Disk): Promise<JournalFacts> {
  if (whyInvalidName(runId) !== undefined) return NOTHING;
  const path = runFiles(home, runId).journal;
  const facts = await disk.stat(path);
  if (facts === undefined || facts.type !== 'file' || facts.size > MAX_BYTES) return NOTHING;
  const text = await disk.readText(path, { maxBytes: MAX_BYTES, within: homeLayout(home).runs });
  return factsOf(parseJournal(text ?? '').filter(isEvent));
}

function factsOf(events: readonly JournalEvent[]): JournalFacts {
  const begin = events.find((event) => event.type === 'begin');
  const imported = events.find((event) => event.type === 'import');
  const points = new Map<string, PointResult[]>();
  for (const event of events) {
    if (event.type !== 'point') continue;
    const known = points.get(event.result.task);
    if (known) known.push(event.result);
    else points.set(event.result.task, [event.result]);
  }
  return {
    ...(begin?.machine && { machine: begin.machine }),
    ...(begin && { options: begin.options }),
    resumedAt: events.flatMap((event) => (event.type === 'resume' ? [event.at] : [])),
    ...(imported && { imported }),
    points,
  };
}

/** A home may come from anywhere: a line of another form is ignored. */
function isEvent(event: JournalEvent | null): event is JournalEvent {
  if (typeof event !== 'object' || event === null) return false;
  switch (event.type) {
    case 'begin':
      return isRecord(event.options) && (event.machine === undefined || isRecord(event.machine.facts));
    case 'point':
      return isRecord(event.result) && typeof event.result.task === 'string';
    case 'resume':
      return typeof event.at === 'number';
    case 'import':
      return typeof event.file === 'string' && typeof event.format === 'string';
    default:
      return false;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
