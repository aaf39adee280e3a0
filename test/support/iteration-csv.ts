import type { DuetOrder, DuetRunType } from '../../src/duet/core/duet.ts';
import type { DuetIterations } from '../../src/duet/core/duet-iterations.ts';
import type { Iterations } from '../../src/formats/core/format.ts';

const HEADER =
  'suite,benchmark,type,order,pair,runid,iteration,iteration_start_ns,iteration_end_ns,iteration_time_ns,hostname';

/** A table as `duet process` writes it. */
export function iterationCsv(runs: readonly DuetIterations[]): string {
  const rows = runs.flatMap((run) => (['A', 'B'] as const).flatMap((pair) => rowsOf(run, pair)));
  return `${[HEADER, ...rows].join('\n')}\n`;
}

/** Reads such a table, with no more care than a test needs. */
export function parseIterationCsv(csv: string): readonly DuetIterations[] {
  const runs = new Map<string, { run: DuetIterations; A: string[][]; B: string[][] }>();
  for (const line of csv.trim().split('\n').slice(1)) {
    const cells = line.split(',');
    const [suite = '', benchmark = '', type, order, pair, runid] = cells;
    const key = [suite, benchmark, type, runid].join();
    const run = { environment: cells[10] ?? '', suite, benchmark, originNs: ORIGIN, runid: Number(runid) };
    const names = { type: type as DuetRunType, order: order as DuetOrder | 'None' };
    const known = runs.get(key) ?? { run: { ...run, ...names }, A: [], B: [] };
    runs.set(key, known);
    known[pair as 'A' | 'B'].push(cells);
  }
  return [...runs.values()].map(({ run, A, B }) => ({ ...run, A: columns(A), B: columns(B) }));
}

const ORIGIN = 1_700_000_000_000_000_000n;

function rowsOf(run: DuetIterations, pair: 'A' | 'B'): readonly string[] {
  const side = run[pair];
  return Array.from(side?.numbers ?? [], (number, i) => {
    const moments = [side?.starts?.[i], side?.ends?.[i]].map((at) =>
      at === undefined ? '' : run.originNs + BigInt(at),
    );
    const names = [run.suite, run.benchmark, run.type, run.order, pair, run.runid, number];
    return [...names, ...moments, side?.times[i], run.environment].join();
  });
}

function columns(rows: readonly string[][]): Iterations {
  const moment = (index: number) =>
    Float64Array.from(rows, (cells) => Number(BigInt(cells[index] ?? 0) - ORIGIN));
  return {
    numbers: Int32Array.from(rows, (cells) => Number(cells[6])),
    starts: moment(7),
    ends: moment(8),
    times: Float64Array.from(rows, (cells) => Number(cells[9])),
  };
}
