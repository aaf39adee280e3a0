import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import type { HistoryMark, HistoryPoint } from '../../../charts/page/history-data.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { directionText } from '../../../home/core/changes/direction.ts';
import { DriftNote, NewestChange, pathText, Shift } from '../../../judge/page/change-parts.tsx';
import { counted, formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ExperimentHistory, HistoryView } from '../../app/read-history.ts';
import {
  type Axis,
  chartSeries,
  commitText,
  hiddenByLog,
  xOfPlace,
  xOfTime,
  type Zoom,
  zoomInTime,
  zoomInView,
} from './chart-data.ts';

interface MetricChartProps {
  readonly view: HistoryView;
  readonly history: ExperimentHistory;
  readonly axis: Axis;
  readonly isLog: boolean;
  readonly zoom: Zoom | undefined;
  readonly onZoom: (zoom: Zoom | undefined) => void;
  readonly onPick: (runId: string, how: { readonly isShift: boolean }) => void;
}

/** The history of one value: its newest value, the change, and every run. */
export function MetricChart({ view, history, axis, isLog, zoom, onZoom, onPick }: MetricChartProps) {
  const { runs } = history;
  const name = pathText(view.path);
  const series = useMemo(() => {
    const [ofPlace, ofTime] = [xOfPlace(runs, axis), xOfTime(runs, axis)];
    return chartSeries({ view, name, xOfPlace: ofPlace, xOfTime: ofTime, isLog });
  }, [view, runs, axis, isLog]);
  const marks = useMemo(() => marksOf(view, history, axis), [view, history, axis]);
  const failed = useMemo(() => runs.failed.map(xOfPlace(runs, axis)), [runs, axis]);
  const stepText = useMemo(
    () => (place: number) => commitText(runs, place) || (runs.ids[place] ?? ''),
    [runs],
  );
  const runAt = ({ index }: HistoryPoint) => view.places[index] ?? -1;
  return (
    <figure class="metric">
      <figcaption>
        <h3 class="path">{name}</h3>
        {view.newestValue !== undefined && (
          <strong>
            <Quantity value={view.newestValue} unit={view.unit} />
          </strong>
        )}{' '}
        <NewestChange {...pickVerdict(view)} /> <DriftNote {...pickDrift(view)} />{' '}
        <span class="quiet">{caption(view, isLog)}</span>
        {view.original !== undefined && (
          <span class="quiet">
            , measured as <code>{view.original}</code>
          </span>
        )}
      </figcaption>
      <HistoryChart
        series={series}
        unit={view.unit}
        yTitle={view.unit === '' ? shortened(view.path.at(-1) ?? '') : ''}
        height={200}
        marks={marks}
        failed={failed}
        isLog={isLog}
        {...(axis === 'commit' && { stepTitle: 'run, by its commit', stepText })}
        zoom={zoomInView(zoom, runs, axis)}
        onZoom={(seen) => onZoom(zoomInTime(seen, runs, axis))}
        onPick={(point, how) => onPick(runs.ids[runAt(point)] ?? '', how)}
        describe={(point) => <RunDetails history={history} place={runAt(point)} />}
      />
      <ChangeLinks changes={view.changes} />
    </figure>
  );
}

function pickVerdict({ newest, unit }: HistoryView) {
  return { unit, ...(newest && { newest }) };
}

function pickDrift({ drift, unit }: HistoryView) {
  return { unit, ...(drift && { drift }) };
}

function caption(view: HistoryView, isLog: boolean): string {
  const { count, values, levels } = view;
  const hidden = isLog ? hiddenByLog(view) : 0;
  const least = Math.min(...values.flatMap((value) => (value === null ? [] : [value])));
  const parts = [
    directionText(view),
    counted(count, 'run'),
    ...(count > values.length ? [`extremes of them drawn, zoom for all`] : []),
    ...(levels.length > 1 ? [counted(levels.length, 'level')] : []),
    ...(hidden > 0 ? [`${hidden} at or below zero not on this axis`] : []),
    ...(!isLog && least > 0 ? ['axis not from zero'] : []),
  ];
  return parts.join(', ');
}

/** Longer texts would cover the chart. */
const LENGTH = 24;

function shortened(text: string): string {
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text;
}

function marksOf(view: HistoryView, { runs, notes }: ExperimentHistory, axis: Axis): readonly HistoryMark[] {
  const x = xOfTime(runs, axis);
  const changes = view.changes.map(({ at, shift, unit, direction, isProvisional }) => {
    const size = shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit);
    const sign = shift.difference > 0 ? '▲' : '▼';
    return { at: x(at), text: `${sign} ${size}${isProvisional ? '?' : ''}`, look: direction };
  });
  const others = notes.map(({ at, text }) => ({ at: x(at), text: shortened(text), look: 'note' as const }));
  return [...others, ...changes];
}

/** Run, commit and machine of the dot below the pointer. */
function RunDetails({
  history: { runs },
  place,
}: {
  readonly history: ExperimentHistory;
  readonly place: number;
}) {
  const machine = runs.machineNames[runs.machines[place] ?? -1];
  const commit = commitText(runs, place);
  return (
    <>
      <div>run {runs.ids[place]}</div>
      {commit !== '' && <div>commit {commit}</div>}
      {machine !== undefined && <div>machine {machine}</div>}
    </>
  );
}

const CHANGES_SHOWN = 3;

function ChangeLinks({ changes }: { readonly changes: readonly FollowedChange[] }) {
  if (changes.length === 0) return null;
  const shown = changes.slice(-CHANGES_SHOWN).toReversed();
  return (
    <p class="change-links">
      {shown.map((change) => (
        <Link key={change.id} to={`/changes/${encodeURIComponent(change.id)}`}>
          <Shift change={change} /> since <Day at={change.at} />
          {change.isProvisional && ', provisional'}
          {change.state !== 'new' && `, ${change.state}`}
        </Link>
      ))}
      {changes.length > shown.length && (
        <Link to="/changes">{counted(changes.length - shown.length, 'earlier change')}</Link>
      )}
    </p>
  );
}
