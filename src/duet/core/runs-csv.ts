import { csvCell } from '../../platform/core/text/csv.ts';
import type { DuetAnalysis } from './analysis/duet-analysis.ts';

/** Every run of every comparison: the units of the statistics, as a table for programs. Times are nanoseconds. */
export function duetRunsCsv({ groups }: DuetAnalysis): string {
  const rows = groups.flatMap(({ environment, suite, benchmark, type, runs }) =>
    runs.map(({ runid, pairs, logRatio, difference, steadyFromA, steadyFromB }) =>
      [
        ...[environment, suite, benchmark, type, runid, pairs],
        ...[logRatio === undefined ? undefined : Math.exp(logRatio), difference, steadyFromA, steadyFromB],
      ]
        .map((cell) => (cell === undefined ? '' : csvCell(String(cell))))
        .join(','),
    ),
  );
  return `${[COLUMNS, ...rows].join('\n')}\n`;
}

const COLUMNS = 'environment,suite,benchmark,type,runid,pairs,ratio,difference,steady_from_a,steady_from_b';
