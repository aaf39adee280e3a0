import type { Disk } from '../../platform/core/disk.ts';
import { readLines } from '../../platform/core/text/read-lines.ts';
import {
  addEvent,
  type ChangeEvent,
  emptyLedger,
  type GrowingLedger,
} from '../core/changes/change-ledger.ts';
import { ledgerLine, parseLedgerLine } from '../core/changes/ledger-line.ts';
import { homeLayout } from '../core/home-layout.ts';

export interface LedgerReading {
  readonly ledger: GrowingLedger;
  /** False: this home has no ledger yet. */
  readonly exists: boolean;
  /** Numbers of lines that could not be used, from 1: torn by a crash, damaged, or of a later version. */
  readonly unusable: readonly number[];
}

/** A line has a few hundred bytes, and a note. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Reads the ledger of a home. A line that cannot be used is reported; the others count. */
export async function readLedger(
  home: string,
  disk: Disk,
  onEvent?: (event: ChangeEvent) => void,
): Promise<LedgerReading> {
  const ledger = emptyLedger();
  const unusable: number[] = [];
  const chunks = await disk.readChunks(homeLayout(home).changes);
  if (!chunks) return { ledger, exists: false, unusable };
  let number = 0;
  for await (const line of readLines(chunks, MAX_LINE_BYTES, () => undefined)) {
    number++;
    if (line.trim() === '') continue;
    const event = parseLedgerLine(line);
    if (!event) unusable.push(number);
    else {
      addEvent(ledger, event);
      onEvent?.(event);
    }
  }
  return { ledger, exists: true, unusable };
}

/** Appends lines to the ledger; they are flushed to disk when it returns. */
export async function appendEvents(home: string, events: readonly ChangeEvent[], disk: Disk): Promise<void> {
  if (events.length === 0) return;
  const file = homeLayout(home).changes;
  const ends = await disk.readEnds(file, { headBytes: 1, tailBytes: 1 });
  const last = ends === undefined || ends.size === 0 ? '\n' : ends.tail || ends.head;
  const journal = await disk.openJournal(file);
  try {
    // A crash may have cut off the last line: the new ones begin on a line of their own.
    journal.append(`${last === '\n' ? '' : '\n'}${events.map(ledgerLine).join('')}`);
    journal.flush();
  } finally {
    journal.close();
  }
}

/** A message about lines that could not be used; undefined where all could be. */
export function unusableLinesMessage({ unusable }: LedgerReading): string | undefined {
  if (unusable.length === 0) return undefined;
  const shown = unusable.slice(0, 5).join(', ');
  const more = unusable.length > 5 ? ` and ${unusable.length - 5} more` : '';
  return `.nightmark/changes.ndjson: line ${shown}${more} could not be used (torn by a crash, or written by a newer version).`;
}
