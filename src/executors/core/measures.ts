/** What a processor counts of a program, as far as the kernel passes it on. */
export const COUNTERS = ['instructions', 'cycles', 'cache-misses'] as const;
export type Counter = (typeof COUNTERS)[number];
export type Counts = Readonly<Partial<Record<Counter, number>>>;

/** What is measured of a command. cpu: user and system time of it and of all children that were waited for. */
export const MEASURES = ['wall', 'cpu', ...COUNTERS] as const;
export type Measure = (typeof MEASURES)[number];

/** What one run took: wall and cpu in seconds, counters as counts. An absent one was not measured. */
export type Measures = { readonly wall: number } & Readonly<Partial<Record<Measure, number>>>;

export function isCounter(measure: string): measure is Counter {
  return COUNTERS.some((counter) => counter === measure);
}

/** A measure that cannot be had, and why. */
export interface AbsentMeasure {
  readonly measure: Measure;
  readonly reason: string;
}

/** For sentences: "by CPU time". */
export function measureText(measure: Measure): string {
  return TEXTS[measure];
}

const TEXTS: Readonly<Record<Measure, string>> = {
  wall: 'wall time',
  cpu: 'CPU time',
  instructions: 'instructions',
  cycles: 'cycles',
  'cache-misses': 'cache misses',
};

/** What could not be measured, reasons once: "instructions, cycles and cache misses: not available here: perf is not installed". */
export function absentNotes(absent: readonly AbsentMeasure[]): readonly string[] {
  const reasons = [...new Set(absent.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const names = absent.filter((one) => one.reason === reason).map(({ measure }) => measureText(measure));
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
    return `${list.charAt(0).toUpperCase()}${list.slice(1)}: not available here: ${reason}.`;
  });
}
