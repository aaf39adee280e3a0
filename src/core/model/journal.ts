import type { Machine, Run, StageResult, Trial } from './run.ts';

/**
 * What a run writes down as it goes, one JSON object a line, each durable before the next step begins.
 * The journal is the truth about a run: status files, index and resume are made from it.
 */
export type JournalEvent =
  | { readonly type: 'begin'; readonly run: Run; readonly machine: Machine }
  /** A step of the whole night that need not be done again. */
  | { readonly type: 'step'; readonly step: NightStep }
  | { readonly type: 'stage'; readonly result: StageResult }
  | { readonly type: 'commits'; readonly task: string; readonly commits: Readonly<Record<string, string>> }
  /** The trial is not run, and why. */
  | { readonly type: 'skip'; readonly task: string; readonly kind: Trial['kind']; readonly reason: string }
  | { readonly type: 'resume'; readonly at: number }
  | { readonly type: 'end'; readonly run: Run; readonly trials: readonly Trial[] };

export type NightStep = 'backup-before' | 'clean' | 'archive' | 'backup-after';

/** Reads a journal; a last line that was cut off by a crash is left out. */
export function parseJournal(text: string): readonly JournalEvent[] {
  const events: JournalEvent[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    try {
      events.push(JSON.parse(line) as JournalEvent);
    } catch (cause) {
      if (index >= lines.length - 2) break;
      throw new SyntaxError(`Line ${index + 1} of the journal is no JSON.`, { cause });
    }
  }
  return events;
}
