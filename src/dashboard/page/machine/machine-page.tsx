import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import { State } from '../../../home/page/state.tsx';
import { Shift } from '../../../judge/page/change-parts.tsx';
import { counted, formatChange, formatNumber } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Facts, Scroll } from '../../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age, Day } from '../../../platform/page/parts/time.tsx';
import { goTo, useZoom } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { MachineView } from '../../app/machines/machine-view.ts';
import { percentText } from '../machines/noise.tsx';
import { FactHistory } from './fact-history.tsx';
import { Telemetry } from './telemetry.tsx';

/** One machine: how quiet it is, what happened to it, and what it is. */
export function MachinePage({ parameters }: { readonly parameters: RouteParameters }) {
  const id = parameters['id'] ?? '';
  const loaded = useDocument(documentRef<MachineView>(['machines', id], { topic: 'runs' }));
  if (loaded.value === undefined && loaded.problem)
    return (
      <PageFrame title={id}>
        <Show loaded={loaded}>{() => null}</Show>
      </PageFrame>
    );
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (
        <PageFrame
          title={view.key}
          heading={<Headline view={view} />}
          lead={<Lead view={view} />}
          json={`machines/${encodeURIComponent(id)}`}
        >
          <NoiseChart view={view} />
          <Events view={view} />
          <FactHistory view={view} />
          <Telemetry id={id} />
          <h2>What it is</h2>
          <Facts
            rows={[
              ['fingerprint', <code key="id">{view.ids[0]}</code>],
              ...view.facts.map(({ name, value, unit }) => [name, factText(value, unit)] as const),
            ]}
          />
          <Recent view={view} />
        </PageFrame>
      )}
    </Show>
  );
}

function factText(value: unknown, unit: string | undefined): string {
  return typeof value === 'number' ? formatNumber(value, unit === 'bytes' ? 'B' : unit) : String(value);
}

function Headline({ view: { key, noise } }: { readonly view: MachineView }) {
  return (
    <>
      {key}
      {noise && `: values vary by ${percentText(noise.median)}`}
    </>
  );
}

function Lead({ view }: { readonly view: MachineView }) {
  const { summary, nights, runs, firstAt, lastAt, events, noise } = view;
  const open = events.filter(({ state }) => state === 'new' || state === 'confirmed').length;
  return (
    <span class="quiet">
      {summary && `${summary}. `}
      {counted(nights, 'night')} and {counted(runs - nights, 'other run')} since <Day at={firstAt} />, the
      last one <Age at={lastAt} />. {noise === undefined && 'Too few values to tell how noisy it is. '}
      {open > 0 && <strong>{counted(open, 'open event')} of the machine.</strong>}
    </span>
  );
}

function NoiseChart({ view }: { readonly view: MachineView }) {
  const { noiseOverTime, events, history } = view;
  const [zoom, setZoom] = useZoom();
  const series = useMemo(() => {
    const { times, values, runIds } = noiseOverTime;
    return [{ name: 'noise', times, values: values.map((one) => one * 100), runIds }];
  }, [noiseOverTime]);
  const marks = useMemo(
    () => [
      ...events.map(({ at, shift, direction }) => ({
        at,
        text: shift.relative ? formatChange(shift.relative.change) : 'moved',
        look: direction,
      })),
      ...history.map(({ at }) => ({ at, text: 'facts', look: 'note' as const })),
    ],
    [events, history],
  );
  if (noiseOverTime.times.length === 0) return null;
  return (
    <>
      <h2>Noise</h2>
      <HistoryChart
        series={series}
        unit="%"
        yTitle="distance from the level"
        startsAtZero
        marks={marks}
        zoom={zoom}
        onZoom={setZoom}
        onPick={({ index }) => goTo(`/runs/${encodeURIComponent(noiseOverTime.runIds[index] ?? '')}`)}
        describe={({ index }) => (
          <div class="quiet">
            {noiseOverTime.runIds[index]}, {counted(noiseOverTime.counts[index] ?? 0, 'series', 'series')}
          </div>
        )}
      />
      <p class="quiet">
        For each run: how far its values lay from the level of their series, as a standard deviation; the
        median over series. A change of level is no noise: see <Link to="/changes">changes</Link>.
      </p>
    </>
  );
}

function Events({ view: { events } }: { readonly view: MachineView }) {
  return (
    <>
      <h2>Events</h2>
      {events.length === 0 ? (
        <p class="calm">In no run did most series of the machine move together.</p>
      ) : (
        <ul>
          {events.map((change) => (
            <li key={change.id}>
              <Day at={change.at} /> <Shift change={change} />{' '}
              {change.moved !== undefined && `${counted(change.moved, 'series', 'series')} moved together, `}
              {change.state} <Link to={`/changes/${encodeURIComponent(change.id)}`}>{change.id}</Link>
              {change.note !== undefined && <span class="quiet"> {change.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Recent({ view: { recent, runs } }: { readonly view: MachineView }) {
  return (
    <>
      <h2>Last runs</h2>
      <Scroll label="Last runs">
        <table>
          <thead>
            <tr>
              {['run', 'kind', 'state', 'began'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {recent.map(({ id, label, kind, state, startedAt }) => (
              <tr key={id}>
                <td>
                  <Link to={`/runs/${encodeURIComponent(id)}`}>{label}</Link>
                </td>
                <td>{kind}</td>
                <td>
                  <State state={state} />
                </td>
                <td>
                  <Age at={startedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {runs > recent.length && (
        <p class="quiet">
          {counted(runs - recent.length, 'earlier run')} among <Link to="/runs">all runs</Link>.
        </p>
      )}
    </>
  );
}
