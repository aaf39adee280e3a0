import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BandKind } from '../../charts/core/curves/curve-band.ts';
import { HistoryChart } from '../../charts/page/history-chart.tsx';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef, SourceProblem, theSource } from '../../platform/page/data/source.ts';
import { Loading, Problem } from '../../platform/page/parts/page-frame.tsx';
import { useZoom } from '../../platform/page/router/address.ts';
import type { CurveData, CurveLine } from '../app/curves-view.ts';
import { curveSeries } from './curve-series.ts';

const HEIGHT = 260;

interface TaskCurvesProps {
  readonly task: string;
  readonly data: TaskData | undefined;
  /** Names of algorithms that were not run on it, among those that are shown. */
  readonly notRun: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly hue: ReadonlyMap<string, number>;
  readonly band: BandKind;
}

/** One task: a line with its band for each algorithm. */
export function TaskCurves({ task, data, notRun, hidden, hue, band }: TaskCurvesProps) {
  const all = data === undefined || data instanceof SourceProblem ? undefined : data.lines;
  const lines = useMemo(() => all?.filter(({ algorithm }) => !hidden.has(algorithm)), [all, hidden]);
  return (
    <figure aria-busy={data === undefined}>
      <figcaption>
        <h2>{task}</h2>
      </figcaption>
      {data instanceof SourceProblem ? (
        <Problem problem={data} />
      ) : lines === undefined ? (
        <Loading height={HEIGHT} />
      ) : (
        <Chart lines={lines} hue={hue} band={band} />
      )}
      <Notes lines={lines ?? []} notRun={notRun} />
    </figure>
  );
}

function Chart({
  lines,
  hue,
  band,
}: Pick<TaskCurvesProps, 'hue' | 'band'> & { readonly lines: readonly CurveLine[] }) {
  const [zoom, setZoom] = useZoom();
  const series = useMemo(() => curveSeries(lines, band, hue), [lines, band, hue]);
  const counts = useMemo(() => new Map(lines.map((line) => [line.algorithm, line])), [lines]);
  if (lines.length === 0) return <p class="not-run quiet">nothing to draw: not run, or hidden</p>;
  // Baselines of other programs may name the axes differently: the notes below the chart have their names.
  const own = lines.filter(({ isBaseline }) => !isBaseline);
  const named = own.length > 0 ? own : lines;
  const names = (key: 'xName' | 'yName') => [...new Set(named.map((line) => line[key]))].join(' / ');
  return (
    <HistoryChart
      series={series}
      height={HEIGHT}
      yTitle={names('yName')}
      stepTitle={names('xName')}
      zoom={zoom}
      onZoom={setZoom}
      describe={({ series: { name }, index }) => {
        const seeds = counts.get(name)?.count[index];
        return seeds === undefined ? null : <div class="quiet">{counted(seeds, 'seed')}</div>;
      }}
    />
  );
}

function Notes({
  lines,
  notRun,
}: {
  readonly lines: readonly CurveLine[];
  readonly notRun: readonly string[];
}) {
  const first = lines.find(({ isBaseline }) => !isBaseline);
  const notes = lines.flatMap(({ algorithm, notes: own, xName, yName }) => {
    const isOther = first !== undefined && (first.xName !== xName || first.yName !== yName);
    return [...own, ...(isOther ? [`${yName} over ${xName}`] : [])].map((note) => `${algorithm}: ${note}`);
  });
  const parts = [...(notRun.length > 0 ? [`Not run: ${notRun.join(', ')}`] : []), ...notes];
  return parts.length === 0 ? null : <p class="quiet notes">{parts.join('. ')}.</p>;
}

export type TaskData = CurveData | SourceProblem;

export interface CurveQuery {
  readonly x: string | undefined;
  readonly y: string | undefined;
  readonly withSeeds: boolean;
}

const AT_ONCE = 3;

/** The curves of each task, one request each: the first ones are drawn while the others come. */
export function useTaskData(
  tasks: readonly string[],
  query: CurveQuery,
  /** A new version reloads everything. */
  version: unknown,
): ReadonlyMap<string, TaskData> {
  const [found, setFound] = useState<ReadonlyMap<string, TaskData>>(new Map());
  const [shown, setShown] = useState('');
  const key = JSON.stringify([query.x, query.y, query.withSeeds]);
  useEffect(() => {
    const control = new AbortController();
    const waiting = [...tasks];
    // Other columns: nothing of the old ones may stand beside the new ones.
    if (shown !== key) setFound(new Map());
    setShown(key);
    const next = async (): Promise<void> => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        const data = await fetchTask(task, query, control.signal);
        if (control.signal.aborted) return;
        const one = task;
        setFound((before) => new Map(before).set(one, data));
      }
    };
    for (let loader = 0; loader < AT_ONCE; loader++) void next();
    return () => control.abort();
  }, [tasks.join('\0'), key, version]);
  return found;
}

async function fetchTask(
  task: string,
  { x, y, withSeeds }: CurveQuery,
  signal: AbortSignal,
): Promise<TaskData> {
  const { path } = documentRef<CurveData>(['curves', 'data'], {
    query: { task, x, y, seeds: withSeeds ? '1' : undefined },
  });
  try {
    return (await theSource().json(path, signal)) as CurveData;
  } catch (error) {
    return error instanceof SourceProblem ? error : new SourceProblem(String(error));
  }
}
