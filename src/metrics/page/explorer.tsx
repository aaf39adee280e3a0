import { useEffect, useMemo, useRef } from 'preact/hooks';
import { hueToken } from '../../charts/page/colours.ts';
import { HistoryChart } from '../../charts/page/history-chart.tsx';
import { counted } from '../../platform/core/text/numbers.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Problem } from '../../platform/page/parts/page-frame.tsx';
import { setParameters, useAddress, useZoom } from '../../platform/page/router/address.ts';
import { toHistory, useColumns } from './explorer-data.ts';
import {
  chosenSeries,
  type MeasurementListing,
  type PointChoice,
  type PointListing,
  readPointChoice,
  tagChoices,
} from './point-choice.ts';

/** Lines that are drawn at once; more are unreadable. */
const MAX_LINES = 40;

interface ExplorerProps {
  /** The one in the URL, or the largest. */
  readonly database: string;
  /** Names of all that are loaded. */
  readonly databases: readonly string[];
  /** Columns in the database; undefined while it is loading. */
  readonly columns: number | undefined;
}

/** Any field of any measurement over time: raw where there are few points, else minimum and maximum of each bucket. */
export function Explorer({ database, databases, columns }: ExplorerProps) {
  const { query } = useAddress();
  const listing = useDocument(
    documentRef<MeasurementListing>(['points', 'series'], {
      query: { database, only: 'measurements' },
    }),
  );
  const measurement = query.get('m') ?? listing.value?.measurements[0]?.measurement;
  const inside = useDocument(
    measurement === undefined
      ? undefined
      : documentRef<PointListing>(['points', 'series'], {
          query: { database, measurement, limit: 10_000 },
        }),
  );
  useEffectOnChange(columns, () => {
    listing.reload();
    inside.reload();
  });
  const text = query.toString();
  const choice = useMemo(
    () => readPointChoice(new URLSearchParams(text), database, listing.value, inside.value),
    [text, database, listing.value, inside.value],
  );
  const problem = listing.problem ?? inside.problem;
  return (
    <section aria-label="Explorer">
      <h2>{choice === undefined ? 'Values' : `${choice.measurement} ${choice.field}`}</h2>
      {problem && <Problem problem={problem} />}
      {choice && <Chart choice={choice} />}
      {choice && listing.value && (
        <Choices choice={choice} listing={listing.value} inside={inside.value} databases={databases} />
      )}
    </section>
  );
}

/** Lists of thousands of series are fetched when there are more series, not with every point. */
function useEffectOnChange(value: number | undefined, effect: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    const isNew = before.current !== undefined && before.current !== value;
    before.current = value;
    if (isNew) effect();
  }, [value]);
}

function Chart({ choice }: { readonly choice: PointChoice }) {
  const [zoom, setZoom] = useZoom();
  const { columns, isBusy, problem } = useColumns(choice, { zoom, most: MAX_LINES });
  const series = useMemo(() => columns && toHistory(columns), [columns]);
  if (problem && !series) return <Problem problem={problem} />;
  const isDrawn = series !== undefined && series.lines.length > 0;
  return (
    <div aria-busy={isBusy && !series}>
      {isDrawn ? (
        <HistoryChart
          series={series.lines}
          height={300}
          yTitle={choice.field}
          zoom={zoom ?? series.range}
          onZoom={setZoom}
        />
      ) : (
        <p class="not-run quiet">
          {isBusy ? 'loading …' : 'no numbers here: another field, or a longer range'}
        </p>
      )}
      <p class="quiet" role="status">
        {isDrawn &&
          `${counted(series.points, 'point')} of ${counted(series.count, 'series', 'series')}, ${series.isExact ? 'raw values' : 'minimum and maximum of each time bucket: drag to zoom in'}`}
        {series && series.hidden > 0 && `; ${series.hidden} more series are not drawn: choose tags`}
        {zoom && (
          <>
            {' '}
            <button type="button" class="plain link" onClick={() => setZoom(undefined)}>
              show all
            </button>
          </>
        )}
      </p>
      {series && series.lines.length > 1 && (
        <ul class="keys">
          {series.lines.map(({ name }, place) => (
            <li key={name}>
              <span aria-hidden="true" style={{ color: `var(${hueToken(place)})` }}>
                ▬
              </span>{' '}
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly choice: PointChoice;
  readonly listing: MeasurementListing;
  readonly inside: PointListing | undefined;
  readonly databases: readonly string[];
}

function Choices({ choice, listing, inside, databases }: ChoicesProps) {
  const names = listing.measurements.map((one) => one.measurement);
  const [tags, count] = useMemo(() => {
    const series = inside?.series ?? [];
    return [tagChoices(series, choice), chosenSeries(series, choice).length] as const;
  }, [inside, choice]);
  const set = (values: Parameters<typeof setParameters>[0]) => setParameters({ zoom: undefined, ...values });
  const pick = (key: string) => (value: string) => {
    const others = choice.tags.filter(([name]) => name !== key).map(([name, one]) => `${name}=${one}`);
    set({ tag: value === '' ? others : [...others, `${key}=${value}`] });
  };
  return (
    <div class="controls">
      <Select
        label="database"
        value={choice.database}
        options={databases}
        onPick={(db) => set({ db, m: undefined, f: undefined, tag: undefined })}
      />
      <Select
        label="measurement"
        value={choice.measurement}
        options={names}
        onPick={(m) => set({ m, f: undefined, tag: undefined })}
      />
      <Select label="field" value={choice.field} options={choice.fields} onPick={(f) => set({ f })} />
      {tags.map(([key, values]) => (
        <Select
          key={key}
          label={key}
          value={choice.tags.find(([name]) => name === key)?.[1] ?? ''}
          options={values}
          any="all"
          onPick={pick(key)}
        />
      ))}
      <span class="quiet">
        {counted(count, 'series', 'series')}
        {listing.matched.measurements > names.length &&
          `, ${listing.matched.measurements - names.length} more measurements not listed`}
      </span>
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly any?: string;
  readonly onPick: (value: string) => void;
}

function Select({ label, value, options, any, onPick }: SelectProps) {
  const all = options.includes(value) || value === '' ? options : [value, ...options];
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {all.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
