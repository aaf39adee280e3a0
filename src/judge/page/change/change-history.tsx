import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import type { HistoryMark } from '../../../charts/page/history-data.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted, formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Quantity, Scroll } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import { goTo, useZoom } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ChangeDocument } from '../../app/changes/read-change.ts';
import { driftText } from '../../core/changes/change-text.ts';
import { NewestChange, NOT_JUDGED } from '../change-parts.tsx';
import { levelLines } from './level-lines.ts';

interface Props {
  readonly found: ChangeDocument;
}

/** The series with its levels and all of its changes; this one is marked by its id. */
export function ChangeHistory({ found }: Props) {
  const { series, change, ofSeries } = found;
  const [zoom, setZoom] = useZoom();
  const lines = useMemo(() => (series ? levelLines(series) : []), [series]);
  const marks = useMemo(() => marksOf(ofSeries, change.id), [ofSeries, change.id]);
  if (!series) {
    return (
      <p class="calm">
        {change.series.kind === 'machine'
          ? 'A machine has no values of its own: what it did is taken out of all series that it moved.'
          : 'The series has no values in the index any more.'}
      </p>
    );
  }
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <HistoryChart
        series={lines}
        unit={change.unit}
        yTitle={seriesText(change.series).slice(-40)}
        height={300}
        marks={marks}
        zoom={zoom}
        onZoom={setZoom}
        onPick={({ index, series: { runIds } }) => {
          const id = runIds?.[index];
          if (id !== undefined && change.series.kind !== 'kpi') goTo(`/runs/${encodeURIComponent(id)}`);
        }}
        describe={({ index, series: { runIds } }) => runIds?.[index]}
      />
      <p class="quiet">
        Dots are {change.series.kind === 'kpi' ? 'tests' : 'runs'}, the line is the level, the band is where
        95 % of single values of that level lie. Dragging zooms, a double click shows everything.
        {zoom && (
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            show everything
          </button>
        )}
      </p>
      <Levels found={found} series={series} />
      <Around found={found} series={series} />
    </section>
  );
}

function marksOf(changes: readonly FollowedChange[], own: string): readonly HistoryMark[] {
  return changes
    .filter(({ withdrawnAt, id }) => withdrawnAt === undefined || id === own)
    .map(({ id, at, direction, shift, unit, state }) => ({
      at,
      text: `${id === own ? '● ' : ''}${shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit)}${state === 'new' ? '' : ` ${state}`}`,
      look: direction,
    }));
}

type WithSeries = Props & { readonly series: NonNullable<ChangeDocument['series']> };

/** More levels are rarely read. */
const MOST_LEVELS = 12;

function Levels({ found: { change, ofSeries }, series: { levels, times, newest } }: WithSeries) {
  if (!newest) return <p class="calm">{NOT_JUDGED}</p>;
  const shown = levels.slice(-MOST_LEVELS);
  const others = ofSeries.filter(({ id }) => id !== change.id);
  return (
    <>
      <h3>Levels</h3>
      <Scroll label="Levels">
        <table>
          <thead>
            <tr>
              <th scope="col">from</th>
              <th scope="col">to</th>
              <th scope="col" class="number">
                level
              </th>
              <th scope="col" class="number">
                spread of one value
              </th>
              <th scope="col" class="number">
                values
              </th>
              <th scope="col">drift</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ start, end, value, scale, count, drift }) => (
              <tr key={start}>
                <td>
                  <Day at={times[start] ?? Number.NaN} />
                </td>
                <td>
                  <Day at={times[end - 1] ?? Number.NaN} />
                </td>
                <td class="number">
                  <Quantity value={value} unit={change.unit} />
                </td>
                <td class="number">
                  ± <Quantity value={scale} unit={change.unit} />
                </td>
                <td class="number">{count}</td>
                <td>{drift ? driftText(drift, change.unit) : ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {levels.length > shown.length && (
        <p class="quiet">{counted(levels.length - shown.length, 'older level')} in the data.</p>
      )}
      <p>
        Newest value against the accepted level: <NewestChange newest={newest} unit={change.unit} />
        {newest.held !== undefined && newest.held !== change.id && (
          <>
            , held by <Link to={`/changes/${encodeURIComponent(newest.held)}`}>{newest.held}</Link>
          </>
        )}
      </p>
      {others.length > 0 && (
        <p>
          {counted(others.length, 'other change')} of this series:{' '}
          {others.slice(-20).map(({ id, state, withdrawnAt }) => (
            <span key={id}>
              <Link to={`/changes/${encodeURIComponent(id)}`}>{id}</Link>{' '}
              {withdrawnAt === undefined ? state : 'withdrawn'}{' '}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** Runs on each side that are listed. */
const NEAR = 3;

function Around({ found: { change }, series: { times, values, runIds, place } }: WithSeries) {
  if (place < 0) return null;
  const from = Math.max(0, place - NEAR);
  return (
    <>
      <h3>{change.series.kind === 'kpi' ? 'Tests' : 'Runs'} around it</h3>
      <table class="around">
        <tbody>
          {runIds.slice(from, place + NEAR).map((id, index) => {
            const [at, value] = [times[from + index], values[from + index]];
            return (
              <tr key={id} {...(from + index === place && { class: 'selected' })}>
                <td>{from + index === place ? '▶ new level' : ''}</td>
                <td>
                  <Day at={at ?? Number.NaN} />
                </td>
                <td>
                  {change.series.kind === 'kpi' ? (
                    id
                  ) : (
                    <Link to={`/runs/${encodeURIComponent(id)}`}>{id}</Link>
                  )}
                </td>
                <td class="number">
                  {value === null || value === undefined ? (
                    '~'
                  ) : (
                    <Quantity value={value} unit={change.unit} />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
