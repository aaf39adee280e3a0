import { useMemo } from 'preact/hooks';
import type { BandKind } from '../../charts/core/curves/curve-band.ts';
import { certaintyText } from '../../judge/core/changes/change-text.ts';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { SourceProblem } from '../../platform/page/data/source.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { CurveData, CurveLine, CurvesView } from '../app/curves-view.ts';
import type { ScoreOverSeeds } from '../core/curve-scores.ts';
import type { TaskData } from './task-curves.tsx';

export const SCORES = [
  ['final', 'final: mean of the last tenth'],
  ['best', 'best that was reached'],
  ['area', 'area under the curve, by its length'],
] as const;
export type ScoreKey = (typeof SCORES)[number][0];

interface ScoreTableProps {
  readonly view: CurvesView;
  readonly tasks: readonly string[];
  readonly data: ReadonlyMap<string, TaskData>;
  readonly score: ScoreKey;
  readonly band: BandKind;
  readonly hidden: ReadonlySet<string>;
}

interface Row {
  readonly task: string;
  readonly data?: CurveData;
  readonly isLoading: boolean;
}

/** Tasks by algorithms: what each came to, with its interval over seeds; pairs that were not run are marked. */
export function ScoreTable({ view, tasks, data, score, band, hidden }: ScoreTableProps) {
  const rows = useMemo(() => tasks.map((task) => toRow(task, data.get(task))), [tasks, data]);
  const columns = useMemo((): readonly Column<Row>[] => {
    const shown = view.algorithms.filter(({ name }) => !hidden.has(name));
    const ran = new Set(view.cells.map(({ task, algorithm }) => JSON.stringify([task, algorithm])));
    return [
      { key: 'task', title: 'task', sortBy: ({ task }) => task, cell: ({ task }) => task },
      ...shown.map(
        ({ name, isBaseline }, place): Column<Row> => ({
          ...{ key: `a${place}`, title: name, isNumber: true },
          sortBy: (row) => shownScore(lineOf(row, name)?.scores[score], band)?.value,
          cell: (row) => {
            if (!ran.has(JSON.stringify([row.task, name])))
              return <span class="quiet">{isBaseline ? 'none stored' : 'not run'}</span>;
            const line = lineOf(row, name);
            if (!line) return <span class="quiet">{row.isLoading ? '…' : 'no such column'}</span>;
            return <Score line={line} score={score} band={band} better={row.data?.better ?? 'higher'} />;
          },
        }),
      ),
    ];
  }, [view, hidden, score, band, rows]);
  return (
    <DataTable
      caption="Performance"
      rows={rows}
      columns={columns}
      rowKey={({ task }) => task}
      rowHeight={52}
    />
  );
}

function toRow(task: string, data: TaskData | undefined): Row {
  const isThere = data !== undefined && !(data instanceof SourceProblem);
  return { task, isLoading: data === undefined, ...(isThere && { data }) };
}

function lineOf({ data }: Row, name: string): CurveLine | undefined {
  return data?.lines.find(({ algorithm }) => algorithm === name);
}

/** The number that the chosen line ends at, with the chosen interval. */
function shownScore(score: ScoreOverSeeds | undefined, band: BandKind) {
  if (!score) return undefined;
  if (band === 'iqm') return { value: score.iqm, low: score.iqmLow, high: score.iqmHigh };
  if (band === 'interval') return { value: score.mean, low: score.low, high: score.high };
  const { mean, deviation, seeds } = score;
  const half =
    deviation === undefined
      ? undefined
      : deviation * (band === 'population' ? Math.sqrt((seeds - 1) / seeds) : 1);
  return {
    value: mean,
    low: half === undefined ? undefined : mean - half,
    high: half === undefined ? undefined : mean + half,
  };
}

interface ScoreProps {
  readonly line: CurveLine;
  readonly score: ScoreKey;
  readonly band: BandKind;
  readonly better: 'lower' | 'higher';
}

function Score({ line, score, band, better }: ScoreProps) {
  const found = shownScore(line.scores[score], band);
  if (!found)
    return (
      <span class="quiet" title="Its final value is not a number">
        ~
      </span>
    );
  const { value, low, high } = found;
  const seeds = line.scores[score]?.seeds ?? 0;
  return (
    <>
      <Quantity value={value} />{' '}
      <span class="interval quiet">
        {low === undefined || high === undefined
          ? line.hasStoredBand
            ? 'stored mean'
            : counted(seeds, 'seed')
          : `[${formatNumber(low)}, ${formatNumber(high)}]`}
      </span>
      {score === 'final' && <Against line={line} better={better} />}
    </>
  );
}

/** How it stands to its baseline, by Welch's test: better or worse only where the interval leaves no doubt. */
function Against({ line, better }: Pick<ScoreProps, 'line' | 'better'>) {
  const { against } = line.scores;
  if (!against) return null;
  const { difference, low, high, p, baseline } = against;
  const isClear = low > 0 || high < 0;
  const isGood = difference > 0 === (better === 'higher');
  const label = `${difference > 0 ? '+' : ''}${formatNumber(difference)}`;
  const title = `${label} [${formatNumber(low)}, ${formatNumber(high)}] against ${baseline}: difference of the means of final values, 95 % interval by Welch's test, certainty ${certaintyText(p)}`;
  return (
    <div class="against">
      {isClear ? (
        <span class={`change ${isGood ? 'better' : 'worse'}`} title={title}>
          {difference > 0 ? '▲' : '▼'} {label} {isGood ? 'better' : 'worse'}
        </span>
      ) : (
        <span class="quiet" title={title}>
          {label} ~
        </span>
      )}
    </div>
  );
}
