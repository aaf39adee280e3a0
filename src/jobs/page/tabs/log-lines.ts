import type { JobLogEntry } from '../../core/job.ts';

export interface LogLine {
  readonly worker: number;
  readonly isError: boolean;
  readonly text: string;
}

/** Lines of the workers and with the text that are wanted; a text is searched as it is, ignoring case. */
export function logLines(
  entries: readonly JobLogEntry[],
  { worker, text }: { readonly worker: number | undefined; readonly text: string },
): readonly LogLine[] {
  const wanted = text.toLowerCase();
  const lines: LogLine[] = [];
  for (const { worker: of, type, message } of entries) {
    if (worker !== undefined && of !== worker) continue;
    for (const line of message.split('\n')) {
      if (wanted !== '' && !line.toLowerCase().includes(wanted)) continue;
      lines.push({ worker: of, isError: type === 'error', text: line });
    }
  }
  return lines;
}

export function workersIn(entries: readonly JobLogEntry[]): readonly number[] {
  return [...new Set(entries.map(({ worker }) => worker))].sort((a, b) => a - b);
}
