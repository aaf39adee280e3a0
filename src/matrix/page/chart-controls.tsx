import { setParameters } from '../../platform/page/router/address.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { CHART_KINDS, type ChartKind, type Spread } from '../core/explorer/explorer-view.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';

const CHART_NAMES: Readonly<Record<ChartKind, string>> = {
  lines: 'lines',
  bars: 'bars',
  box: 'boxes',
  scatter: 'scatter',
  heatmap: 'heat map',
  table: 'table',
};

const SPREAD_NAMES: Readonly<Record<Spread, string>> = {
  interval: '95 % interval of the mean',
  deviation: 'one standard deviation',
  none: 'none',
};

/** KPI, kind of chart, and scales. */
export function ChartControls({ tests, view }: { readonly tests: StoredTests; readonly view: ExplorerView }) {
  const { chart, kpi, against, xScale, yScale, spread } = view;
  const kpis = tests.kpis.map(({ name, help }) => [name, help === '' ? name : `${name}: ${help}`] as const);
  const scales = [
    ['linear', 'linear'],
    ['log', 'logarithmic'],
  ] as const;
  const hasX = chart === 'lines' || chart === 'scatter';
  return (
    <section aria-label="Chart" class="chart-controls">
      <fieldset class="chips">
        <legend>Chart</legend>
        {CHART_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={kind === chart}
            onClick={() => setParameters({ chart: kind })}
          >
            {CHART_NAMES[kind]}
          </button>
        ))}
      </fieldset>
      <div class="controls">
        <Choice label="KPI" name="kpi" value={kpi.name} options={kpis} />
        {chart === 'scatter' && <Choice label="against" name="against" value={against.name} options={kpis} />}
        {chart !== 'table' && (
          <Choice
            label={chart === 'heatmap' ? 'scale of the shades' : 'scale of values'}
            name="y-scale"
            value={yScale}
            options={scales}
          />
        )}
        {hasX && <Choice label="scale of x" name="x-scale" value={xScale} options={scales} />}
        {(chart === 'lines' || chart === 'bars' || chart === 'table') && (
          <Choice label="spread" name="spread" value={spread} options={Object.entries(SPREAD_NAMES)} />
        )}
      </div>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

function Choice({ label, name, value, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => setParameters({ [name]: event.currentTarget.value })}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
