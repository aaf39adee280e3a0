import { COUNTERS, type Counter, type Counts } from './measures.ts';

/** Of the program alone, not of the kernel: that is allowed to more users, and varies less. */
export const PERF_EVENTS = COUNTERS.map((counter) => `${counter}:u`).join(',');

/** Reads what `perf stat -x,` wrote: "value,unit,event,...". What the machine does not count is absent. */
export function readPerfStat(text: string): Counts {
  const counts: Partial<Record<Counter, number>> = {};
  for (const line of text.split('\n')) {
    const [value = '', , event = ''] = line.split(',');
    const counter = COUNTERS.find((name) => event === name || event.startsWith(`${name}:`));
    if (counter !== undefined && /^\d+$/.test(value)) counts[counter] = Number(value);
  }
  return counts;
}

/** Why there are no counts, from what `perf stat` left; `paranoid` is /proc/sys/kernel/perf_event_paranoid. */
export function whyNoCounts(text: string, paranoid: string): string {
  if (/<not supported>/.test(text)) return 'this machine does not support them';
  if (/paranoid|permission|not permitted/i.test(text))
    return `the kernel does not permit it (perf_event_paranoid is ${paranoid.trim() || 'unknown'})`;
  const last = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .at(-1);
  return `perf counted nothing${last === undefined ? '' : `: ${last.trim()}`}`;
}
