import type { Curve } from '../../charts/core/curves/curve.ts';
import { summarizeCurves } from '../../charts/core/curves/summarize-curves.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { scoreOverSeeds, seedScores } from '../core/curve-scores.ts';
import {
  betterOf,
  type ChosenCurve,
  type CurveChoice,
  type CurveTable,
  chooseCurve,
} from '../core/curve-table.ts';
import type { CurveLine, CurveSeed } from './curves-view.ts';
import type { CurveFile } from './find-curves.ts';

export interface LineOptions extends CurveChoice {
  readonly points: number;
  /** With the points of each seed. */
  readonly withSeeds: boolean;
}

type Columns = Pick<
  CurveLine,
  'x' | 'mean' | 'deviation' | 'iqm' | 'low' | 'high' | 'count' | 'hasStoredBand'
>;

/** The line of one algorithm; undefined where none of its curves has the requested columns. */
export function curveLine(cell: GatheredCell, options: LineOptions): CurveLine | undefined {
  const { chosen, without } = chooseOfCell(cell, options);
  const [first] = chosen;
  if (!first) return undefined;
  const better = betterOf(first.y);
  const usable = chosen.filter(({ curve }) => curve.x.length > 0);
  const inRange = withCommonRange(usable.map(({ curve }) => curve));
  const { band } = first;
  const stored = usable.length === 1 && band && usable[0] ? storedColumns(usable[0].curve, band) : undefined;
  const columns = stored ?? summaryColumns(inRange, options.points);
  const seeds = usable.map(({ seed, curve }): CurveSeed => {
    const points = options.withSeeds ? { x: [...curve.x], y: nulled(curve.y) } : {};
    return { seed, ...seedScores(curve, better), ...points };
  });
  const lost = usable.length - inRange.length;
  const notes = [
    ...(without > 0 ? [`${counted(without, 'curve')} without these columns`] : []),
    ...(lost > 0 ? [`${counted(lost, 'seed')} with no range in common with the others`] : []),
  ];
  const { algorithm, isBaseline } = cell;
  return {
    algorithm,
    isBaseline,
    xName: first.x,
    yName: first.y,
    ...columns,
    seeds,
    scores: scoresOf(seeds),
    notes,
  };
}

interface CellCurve extends ChosenCurve {
  readonly seed: string;
  readonly band?: { readonly low: Float64Array; readonly high: Float64Array };
}

/** All seeds have the same columns: those that the first of them would be drawn with. */
function chooseOfCell({ members }: GatheredCell, choice: CurveChoice) {
  const all = new Map(members.flatMap(({ table }) => [...table.columns]));
  const y = choice.y ?? chooseCurve({ columns: all }, choice)?.y;
  const wanted = { ...(choice.x !== undefined && { x: choice.x }), ...(y !== undefined && { y }) };
  const chosen = members.flatMap(({ table }, place): CellCurve[] => {
    const found = chooseCurve(table, wanted);
    const seed = table.seed ?? `${place + 1}`;
    return found ? [{ ...found, seed, ...(table.band && { band: table.band }) }] : [];
  });
  return { chosen, without: members.length - chosen.length };
}

/** The longest list of curves, from the first on, that have a common range. */
function withCommonRange(curves: readonly Curve[]): readonly Curve[] {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return curves.filter(({ x }) => {
    const [from, to] = [Math.max(low, x[0] ?? low), Math.min(high, x.at(-1) ?? high)];
    if (from > to) return false;
    [low, high] = [from, to];
    return true;
  });
}

function summaryColumns(curves: readonly Curve[], points: number): Columns {
  if (curves.length === 0)
    return { x: [], mean: [], deviation: [], iqm: [], low: [], high: [], count: [], hasStoredBand: false };
  const [only] = curves;
  // One seed, or seeds that report at the same places, keep their own: nothing is made up between them.
  const grid = only && curves.every(({ x }) => isSame(x, only.x)) ? only.x : undefined;
  const summary = summarizeCurves(curves, grid ? { grid } : { points });
  return {
    x: [...summary.x],
    mean: nulled(summary.mean),
    deviation: nulled(summary.deviation),
    iqm: nulled(summary.iqm),
    low: nulled(summary.low),
    high: nulled(summary.high),
    count: [...summary.seeds],
    hasStoredBand: false,
  };
}

function storedColumns(
  { x, y }: Curve,
  band: { readonly low: Float64Array; readonly high: Float64Array },
): Columns {
  const none = Array.from(x, () => null);
  const mean = nulled(y);
  const count = Array.from(x, () => 1);
  const [low, high] = [nulled(band.low), nulled(band.high)];
  return { x: [...x], mean, deviation: none, iqm: mean, low, high, count, hasStoredBand: true };
}

function scoresOf(seeds: readonly CurveSeed[]): CurveLine['scores'] {
  const of = (key: 'final' | 'best' | 'area') =>
    scoreOverSeeds(seeds.flatMap(({ [key]: value }) => (value === undefined ? [] : [value])));
  const [final, best, area] = [of('final'), of('best'), of('area')];
  return { ...(final && { final }), ...(best && { best }), ...(area && { area }) };
}

/** JSON has no NaN. */
function nulled(values: Float64Array): readonly (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((value, place) => value === b[place]));
}

/** All curves of one task and algorithm that belong together. */
export interface GatheredCell {
  readonly task: string;
  readonly algorithm: string;
  readonly isBaseline: boolean;
  readonly members: readonly { readonly table: CurveTable; readonly file: CurveFile }[];
}

/**
 * Cells of tasks and algorithms. Of several editions of a cell the one written last counts, and of several curves of one
 * seed in it the newest: the number of omitted curves is returned.
 */
export function gatherCurves(files: readonly CurveFile[]): {
  readonly cells: readonly GatheredCell[];
  readonly older: number;
} {
  const groups = new Map<string, Map<string, { table: CurveTable; file: CurveFile }[]>>();
  for (const file of files) {
    for (const table of file.tables) {
      const key = JSON.stringify([table.task, table.algorithm]);
      const editions = groups.get(key) ?? new Map<string, { table: CurveTable; file: CurveFile }[]>();
      groups.set(key, editions);
      const edition = editions.get(table.edition) ?? [];
      editions.set(table.edition, edition);
      edition.push({ table, file });
    }
  }
  let older = 0;
  const cells: GatheredCell[] = [];
  for (const editions of groups.values()) {
    const all = [...editions.values()];
    const newest = all.reduce((best, one) => (timeOf(one) > timeOf(best) ? one : best));
    const members = newestOfSeeds(newest);
    older += all.reduce((sum, one) => sum + one.length, 0) - members.length;
    const [first] = members;
    if (!first) continue;
    const { task, algorithm } = first.table;
    cells.push({ task, algorithm, isBaseline: members.some(({ table }) => table.isBaseline), members });
  }
  return { cells, older };
}

type Member = GatheredCell['members'][number];

function timeOf(members: readonly Member[]): number {
  return members.reduce((newest, { file }) => Math.max(newest, file.at), 0);
}

function newestOfSeeds(members: readonly Member[]): readonly Member[] {
  const bySeed = new Map<string, Member>();
  for (const [place, member] of members.entries()) {
    // A curve without a seed is one of its own.
    const fields = [...member.table.columns.keys()].sort();
    const key =
      member.table.seed === undefined ? `#${place}` : JSON.stringify([member.table.seed, ...fields]);
    const known = bySeed.get(key);
    if (!known || known.file.at <= member.file.at) bySeed.set(key, member);
  }
  return [...bySeed.values()];
}
