import type { Store } from '../../home/core/store.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { csvCell } from '../../platform/core/text/csv.ts';
import { compareNaturally } from '../../platform/core/text/text-order.ts';
import { againstBaseline } from '../core/curve-scores.ts';
import { betterOf, chooseCurve } from '../core/curve-table.ts';
import { baselineName } from '../core/name-curve.ts';
import { curveLine, type GatheredCell, gatherCurves, type LineOptions } from './curve-lines.ts';
import { payloadCurves } from './curve-sources.ts';
import type { CurveCell, CurveData, CurveLine, CurvesView } from './curves-view.ts';
import { type CurveCache, type CurveFile, findCurves } from './find-curves.ts';

export interface CurveEffects {
  readonly disk: Disk;
  readonly store: Store | undefined;
  readonly memory: CurveCache;
  /** Of other sources: metrics of jobs. */
  readonly others?: readonly CurveFile[];
  /** Columns to read besides the default ones. */
  readonly columns?: readonly string[];
}

/** Everything that can be drawn, before anything is summarised. */
export interface Curves {
  readonly cells: readonly GatheredCell[];
  readonly view: CurvesView;
}

const MOST_NAMES = 100;
const MOST_PROBLEMS = 50;

export async function openCurves(
  home: string,
  { disk, store, memory, others = [], columns = [] }: CurveEffects,
): Promise<Curves> {
  const { files, isCut } = await findCurves(home, { disk, memory, columns });
  const { cells, older } = gatherCurves([...files, ...(await payloadCurves(store)), ...others]);
  const algorithms = new Map(cells.map(({ algorithm, isBaseline }) => [algorithm, isBaseline]));
  const view = {
    tasks: [...new Set(cells.map(({ task }) => task))],
    // Baselines last: they are what the others are compared with.
    algorithms: [...algorithms]
      .map(([name, isBaseline]) => ({ name, isBaseline }))
      .sort((a, b) => Number(a.isBaseline) - Number(b.isBaseline)),
    cells: cells.map(toCell),
    ...namesOf(cells),
    older,
    unreadable: files
      .flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, problem }]))
      .slice(0, MOST_PROBLEMS),
    isCut,
  };
  return { cells, view };
}

/** Undefined when there is no such task. */
export function readCurveData({ cells }: Curves, task: string, options: LineOptions): CurveData | undefined {
  const own = cells.filter((cell) => cell.task === task);
  if (own.length === 0) return undefined;
  const lines = own.flatMap((cell) => curveLine(cell, options) ?? []);
  const better = betterOf(lines[0]?.yName ?? '');
  return { task, better, lines: lines.map((line) => ({ ...line, scores: compared(line, lines) })) };
}

function toCell({ task, algorithm, members }: GatheredCell): CurveCell {
  const commit = members.find(({ table }) => table.commit !== undefined)?.table.commit;
  return {
    task,
    algorithm,
    seeds: members.map(({ table }, place) => table.seed ?? `${place + 1}`),
    ...(commit !== undefined && { commit }),
    at: members.reduce((newest, { file }) => Math.max(newest, file.at), 0),
    files: [...new Set(members.map(({ file }) => file.path))],
  };
}

/** Columns by how many curves have them; which of them are drawn unless another is chosen comes first. */
function namesOf(cells: readonly GatheredCell[]): Pick<CurvesView, 'xNames' | 'yNames'> {
  const counts = new Map<string, number>();
  const [xs, ys] = [new Set<string>(), new Set<string>()];
  for (const { members } of cells) {
    for (const { table } of members) {
      const usual = chooseCurve(table, {});
      if (usual) {
        xs.add(usual.x);
        ys.add(usual.y);
      }
      for (const name of table.names ?? table.columns.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || compareNaturally(a, b)).map(([name]) => name);
  const list = (first: ReadonlySet<string>) =>
    [...new Set([...byCount.filter((name) => first.has(name)), ...byCount])].slice(0, MOST_NAMES);
  return { xNames: list(xs), yNames: list(ys) };
}

/** Against the baseline of the same algorithm, or the only one that the task has. */
function compared(line: CurveLine, lines: readonly CurveLine[]): CurveLine['scores'] {
  if (line.isBaseline) return line.scores;
  const baselines = lines.filter(({ isBaseline }) => isBaseline);
  const own = baselines.find(({ algorithm }) => algorithm === baselineName(line.algorithm));
  const baseline = own ?? (baselines.length === 1 ? baselines[0] : undefined);
  const found = baseline && againstBaseline(finals(line), finals(baseline));
  return found ? { ...line.scores, against: { baseline: baseline.algorithm, ...found } } : line.scores;
}

function finals({ seeds }: CurveLine): readonly number[] {
  return seeds.flatMap(({ final }) => (final === undefined ? [] : [final]));
}

const COLUMNS = ['task', 'algorithm', 'baseline', 'seed', 'y', 'final', 'best', 'area'];

/** What every seed came to, as CSV. */
export function scoreTable(curves: Curves, options: LineOptions): string {
  const rows = curves.view.tasks.flatMap((task) =>
    (readCurveData(curves, task, options)?.lines ?? []).flatMap(({ algorithm, isBaseline, yName, seeds }) =>
      seeds.map(({ seed, final, best, area }) => [
        task,
        algorithm,
        isBaseline,
        seed,
        yName,
        final,
        best,
        area,
      ]),
    ),
  );
  return [COLUMNS, ...rows]
    .map((row) => `${row.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`)
    .join('');
}
