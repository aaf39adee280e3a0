import type { IterationReading } from '../../formats/core/format.ts';
import { closeRun, type OpenRun, offsetIn, openRun } from './collect-runs.ts';
import type { DuetIterations } from './duet-iterations.ts';
import type { TableFile } from './iteration-table.ts';

/** Puts the iterations of result files together to runs, without a table in between. */
export interface FileCollector {
  add(file: TableFile): void;
  finish(tell: (note: string) => void): readonly DuetIterations[];
}

const BILLION = 1_000_000_000n;

export function collectRuns(): FileCollector {
  const runs = new Map<string, OpenRun>();
  return {
    add({ name: { suite, benchmark, type, runid, order, pair }, reading, artifacts, results }) {
      const key = JSON.stringify([results, suite, benchmark, type, runid, order]);
      let run = runs.get(key);
      if (run === undefined) {
        const host = artifacts.find(({ name }) => name === 'hostname')?.value;
        run = openRun({ environment: host || results, suite, benchmark, type, runid, order });
        runs.set(key, run);
      }
      addReading(run, pair, reading);
    },
    finish: (tell) => [...runs.values()].map((run) => closeRun(run, tell)),
  };
}

function addReading(
  run: OpenRun,
  pair: 'A' | 'B',
  { numbers, starts, ends, times, originNs }: IterationReading,
): void {
  const side = run[pair];
  const hasMoments = starts !== undefined && ends !== undefined;
  // NaN where there are no moments, or where they are months from those of the other side: then both are of no use.
  const base = hasMoments
    ? offsetIn(run, Number(originNs / BILLION), Number(originNs % BILLION))
    : Number.NaN;
  for (let at = 0; at < numbers.length; at++) {
    const start = hasMoments ? base + (starts[at] as number) : Number.NaN;
    const end = hasMoments ? base + (ends[at] as number) : Number.NaN;
    side.add(numbers[at] as number, start, end, times[at] as number);
  }
}
