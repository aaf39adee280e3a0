import { useEffect, useMemo, useRef } from 'preact/hooks';
import { yRange } from '../../../charts/page/history-options.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { onUpdate } from '../../../platform/page/data/live-updates.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Empty, Show } from '../../../platform/page/parts/page-frame.tsx';
import { setParameters, useAddress } from '../../../platform/page/router/address.ts';
import type { JobSeriesDocument } from '../../core/job-documents.ts';
import { queryOf, type TabProps } from '../list/use-selection.ts';
import {
  type Cell,
  cellsOf,
  DASHES,
  extentOf,
  legendOf,
  propertyLabel,
  usualPattern,
  varyingProperties,
} from './curve-properties.ts';
import { BAND_TEXTS, meanCurves } from './mean-curves.ts';
import { type Curve, measuresOf, readCurves, usualX } from './read-curves.ts';
import { SeriesCell } from './series-cell.tsx';
import { SeriesControls } from './series-controls.tsx';
import { SeriesLegend } from './series-legend.tsx';
import { readState, type SeriesState, stateParameters } from './series-state.ts';

/** More would be too small to read anything. */
const MOST_CELLS = 60;

/** Charts of all curves, one for each value of the properties that columns and rows stand for. */
function SeriesGrid({ document }: { readonly document: JobSeriesDocument }) {
  const { query } = useAddress();
  const text = query.toString();
  const state = useMemo(() => readState(query), [text]);
  const usual = useMemo(() => usualChoice(document), [document]);
  const view = useMemo(() => viewOf(document, state, usual), [document, text]);
  if (document.series.length === 0)
    return (
      <Empty command="log_metric('loss', {'epoch': 1, 'value': 0.5}, {'split': 'train'})">
        {counted(document.jobs.length, 'job has', 'jobs have')} no stored values of metrics. A script logs
        them like this:
      </Empty>
    );
  const { curves, varying, cells, columnCount, extent, legend, hue, pattern, usualDashes } = view;
  const choices = { ...usual, hue: usualHue(varying), pattern: usualDashes ?? 'none' };
  const set = (change: Partial<SeriesState>) => setParameters(stateParameters({ ...state, ...change }));
  const measures = state.measurement.length > 0 ? state.measurement : usual.measurement;
  const shown = cells.slice(0, MOST_CELLS);
  return (
    <>
      <SeriesControls {...{ document, state, usual: choices, varying }} />
      <p class="quiet">{summary(document, curves, state)}</p>
      <SeriesLegend {...{ legend, hue, pattern, mark: state.mark }} />
      {extent === undefined ? (
        <p class="calm">
          Nothing of this can be drawn over “{state.x ?? usual.x}”. Choose another x, or other measurements.
        </p>
      ) : (
        <div class="series-grid" style={{ '--columns': String(Math.min(columnCount, 8)) }}>
          {shown.map((cell) => (
            <SeriesCell
              key={JSON.stringify([cell.column, cell.row])}
              title={cellTitle(cell, state)}
              x={state.x ?? usual.x}
              yTitle={measures.length === 1 ? (measures[0] ?? '') : ''}
              xRange={extent.x}
              yRange={extent.y}
              height={columnCount > 1 || cells.length > 1 ? 210 : 320}
              curves={cell.curves}
              styleOf={legend.styleOf}
              {...{
                smooth: state.smooth,
                opacity: state.opacity / 100,
                isLogX: state.isLogX,
                isLogY: state.isLogY,
              }}
              {...(state.at && { at: state.at })}
              nameOf={(curve) => nameOf(curve, varying)}
              onZoom={(xRange) => set({ xRange } as Partial<SeriesState>)}
              onPin={(at) => set({ at } as Partial<SeriesState>)}
            />
          ))}
        </div>
      )}
      {cells.length > MOST_CELLS && (
        <p class="quiet">
          {cells.length - MOST_CELLS} more charts are not drawn: choose columns and rows with fewer values.
        </p>
      )}
      <p class="quiet">
        Drag to zoom, double click for everything; Ctrl-click keeps a crosshair in all charts.
      </p>
    </>
  );
}

function usualChoice(document: JobSeriesDocument) {
  const [first] = measuresOf(document);
  return { measurement: first ? [first.name] : [], x: usualX(document) };
}

function viewOf(document: JobSeriesDocument, state: SeriesState, usual: ReturnType<typeof usualChoice>) {
  const names = state.measurement.length > 0 ? state.measurement : usual.measurement;
  const measures = measuresOf(document).filter(({ name }) => names.includes(name));
  const single = readCurves(document, { measures, tags: state.tags, x: state.x ?? usual.x });
  const varying = varyingProperties(single);
  const hue = state.hue === 'none' ? undefined : (state.hue ?? usualHue(varying));
  const { columns, rows, over, band } = state;
  const usualDashes = usualPattern(single, [hue, columns, rows, ...over], DASHES.length);
  const pattern = state.pattern === 'none' ? undefined : (state.pattern ?? usualDashes);
  const shown = [columns, rows, hue, pattern].filter((one): one is string => one !== undefined);
  const curves = meanCurves(single, { over, shown, band });
  const { isLogX, isLogY } = state;
  const extent = extentOf(curves, { xRange: state.xRange, isLogX, isLogY });
  const [low, high] = extent?.y ?? [0, 1];
  // On a logarithmic axis room is a factor.
  const room = isLogY ? ([low / 1.2, high * 1.2] as const) : yRange(low, high, false);
  return {
    ...{ curves, varying, hue, pattern, usualDashes },
    ...cellsOf(curves, { columns, rows }),
    legend: legendOf(curves, { hue, pattern, mark: state.mark }),
    extent: extent && { x: widened(extent.x, isLogX), y: state.yRange ?? room },
  };
}

/** By job; for one job by another property that distinguishes its curves. */
function usualHue(varying: readonly string[]): string {
  return varying.includes('job') ? 'job' : (varying[0] ?? 'job');
}

/** A single step needs a range all the same. */
function widened([from, to]: readonly [number, number], isLog: boolean): readonly [number, number] {
  if (from < to) return [from, to];
  return isLog ? [from / 2, to * 2] : [from - 1, to + 1];
}

function cellTitle({ column, row }: Cell, { columns, rows }: SeriesState): string {
  const parts = [
    [columns, column],
    [rows, row],
  ].flatMap(([name, value]) =>
    name === undefined ? [] : [`${propertyLabel(name)} ${value === '' ? '(none)' : value}`],
  );
  return parts.join(', ');
}

/** The job, and other properties that distinguish this curve. */
function nameOf({ properties }: Curve, varying: readonly string[]): string {
  const others = varying.filter((name) => name !== 'job' && properties[name] !== undefined).slice(0, 4);
  return [properties['job'], ...others.map((name) => `${propertyLabel(name)} ${properties[name]}`)].join(
    ', ',
  );
}

function summary(
  { jobs, isCut, series }: JobSeriesDocument,
  curves: readonly Curve[],
  state: SeriesState,
): string {
  const leftOut = series.reduce((sum, one) => sum + (one.leftOut ?? 0), 0);
  const odd = curves.reduce((sum, one) => sum + one.odd.length, 0);
  const mean = `, each the mean over ${state.over.map(propertyLabel).join(', ')} with ${BAND_TEXTS[state.band]}`;
  return [
    `${counted(curves.length, 'curve')} of ${counted(jobs.length, 'job')}${isCut ? ' (the first ones; more were found)' : ''}`,
    state.over.length > 0 ? mean : '',
    state.smooth > 0 ? `, smoothed (${state.smooth}), the values themselves faint` : '',
    odd > 0 ? `; ${counted(odd, 'triangle')} at the bottom: a value there is not a number` : '',
    leftOut > 0 ? `; long series are drawn by the extremes of each segment, ${leftOut} values less` : '',
  ].join('');
}

const MAX_JOBS = 500;
const PAUSE_MS = 2_000;

/** Metrics of the chosen jobs as small multiples. */
export function SeriesTab({ selection, filters }: TabProps) {
  const query = queryOf(selection, filters, MAX_JOBS);
  return <SeriesOf query={query} />;
}

/** The same of one job alone, on its page. */
export function SeriesOf({ query }: { readonly query: ReturnType<typeof queryOf> }) {
  const loaded = useDocument(query && documentRef<JobSeriesDocument>(['jobs', 'series'], { query }));
  useThrottledNews(loaded);
  return (
    <Show loaded={loaded} height={320}>
      {(document) => <SeriesGrid document={document} />}
    </Show>
  );
}

/** Curves are large: while points stream in they are reloaded at intervals, and never before the last answer came. */
function useThrottledNews({
  isLoading,
  reload,
}: {
  readonly isLoading: boolean;
  readonly reload: () => void;
}): void {
  const latest = useRef({ isLoading, reload });
  latest.current = { isLoading, reload };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (latest.current.isLoading) plan();
        else latest.current.reload();
      }, PAUSE_MS);
    };
    const stops = [onUpdate('points', plan), onUpdate('jobs', plan)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
}
