import { useMemo } from 'preact/hooks';
import { HistoryChart } from '../../../charts/page/history-chart.tsx';
import { Readings } from '../../../charts/page/readings.tsx';
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
import type { MachineTelemetryView, MachineView, SensorView } from '../../app/machines/machine-view.ts';
import { percentText } from './noise.tsx';

/** One machine: its noise, its events, and its facts. */
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
          <h2>Facts</h2>
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
      last one <Age at={lastAt} />. {noise === undefined && 'Too few values to estimate its noise. '}
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
        median over series. A change of level is not noise: see <Link to="/changes">changes</Link>.
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
          <TableHead names={['run', 'kind', 'state', 'started']} />
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

/** When facts of the machine changed: only those that differ. */
export function FactHistory({ view: { history, compared } }: { readonly view: MachineView }) {
  return (
    <>
      <h2>Changes of the machine</h2>
      {history.length === 0 ? (
        <p class="calm">Its facts were the same in {counted(compared, 'run')}.</p>
      ) : (
        <Scroll label="Changes of the machine">
          <table>
            <TableHead names={['since', 'fact', 'before', 'after']} />
            <tbody>
              {history.flatMap(({ at, runId, label, facts }) =>
                facts.map(({ name, before, after }, place) => (
                  <tr key={`${runId} ${name}`}>
                    <td>
                      {place === 0 && (
                        <>
                          <Day at={at} /> <Link to={`/runs/${encodeURIComponent(runId)}`}>{label}</Link>
                        </>
                      )}
                    </td>
                    <td>{name}</td>
                    <td class="path">{before ?? '~'}</td>
                    <td class="path">{after ?? '~'}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}

/** What was recorded beside the tasks of the last run that has telemetry: what moves most first. */
export function Telemetry({ id }: { readonly id: string }) {
  const loaded = useDocument(
    documentRef<MachineTelemetryView>(['machines', id, 'telemetry'], { topic: 'runs' }),
  );
  return (
    <>
      <h2>Telemetry</h2>
      <Show loaded={loaded} height={180}>
        {({ runId, sensors, hidden }) =>
          sensors.length === 0 ? (
            <p class="calm">
              None of its last runs recorded any. <code>telemetry</code> in the configuration switches it on.
            </p>
          ) : (
            <>
              <p class="quiet">
                Of run <Link to={`/runs/${encodeURIComponent(runId)}`}>{runId}</Link>, what moved most first
                {hidden > 0 && `; ${counted(hidden, 'more sensor')} in the data of the run`}.
              </p>
              <Sensors sensors={sensors} />
            </>
          )
        }
      </Show>
    </>
  );
}

function Sensors({ sensors }: { readonly sensors: readonly SensorView[] }) {
  const readings = useMemo(
    () => sensors.map((sensor) => ({ ...sensor, name: sensorName(sensor), words: sensorText(sensor) })),
    [sensors],
  );
  return <Readings readings={readings} first={6} />;
}

function sensorName({ name, tags }: SensorView): string {
  return [name, ...Object.values(tags)].join(' ');
}

function sensorText({ points, median, low, high, unit }: SensorView): string {
  const [middle, from, to] = [median, low, high].map((value) => formatNumber(value, unit));
  return `${counted(points, 'reading')}, median ${middle}, from ${from} to ${to}`;
}

function TableHead({ names }: { readonly names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
