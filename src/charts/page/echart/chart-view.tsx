import { useMemo } from 'preact/hooks';
import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { setParameters, useParameters } from '../../../platform/page/router/address.ts';
import type { Chart, PanelChart, TableChart } from '../../core/chart.ts';
import { SHADES } from '../../core/draw-heat-map.ts';
import { chartRange, logNotes } from '../../core/extent.ts';
import { hueToken } from '../colours.ts';
import { ChartCanvas } from './chart-canvas.tsx';
import { type FieldChart, seriesNames } from './chart-options.ts';
import { chartTable } from './chart-table.ts';

interface ChartViewProps {
  readonly chart: Chart;
  readonly height?: number;
}

/** Any chart of ours: drawn with ECharts, with a legend of buttons, its notes, and its values as a table. */
export function ChartView({ chart, height = 380 }: ChartViewProps) {
  const off = useParameters('off');
  const fields = fieldsOf(chart);
  const [first] = fields;
  const names = first ? seriesNames(first) : [];
  const key = JSON.stringify([names, off]);
  const hidden = useMemo(
    () => new Set([...names.keys()].filter((at) => off.includes(names[at] ?? ''))),
    [key],
  );
  const toggle = (place: number) => {
    const name = names[place] ?? '';
    setParameters({ off: off.includes(name) ? off.filter((one) => one !== name) : [...off, name] });
  };
  return (
    <figure class="figure">
      <figcaption>
        <strong>{chart.title}</strong> <span class="quiet">{chart.subtitle ?? first?.subtitle}</span>
      </figcaption>
      {first && <Legend names={names} hidden={hidden} onToggle={toggle} />}
      {chart.type === 'table' && <ChartTable chart={chart} />}
      {chart.type === 'panels' && <Panels chart={chart} height={height} hidden={hidden} />}
      {chart.type !== 'table' && chart.type !== 'panels' && (
        <ChartCanvas chart={chart} height={height} hidden={hidden} />
      )}
      {first?.type === 'heatmap' && <ShadeKey charts={fields} />}
      {notesOf(chart, fields).map((note) => (
        <p key={note} class="quiet note">
          {note}
        </p>
      ))}
      {fields.length > 0 && <Values fields={fields} />}
    </figure>
  );
}

function fieldsOf(chart: Chart): readonly FieldChart[] {
  if (chart.type === 'table') return [];
  return chart.type === 'panels' ? chart.charts.flatMap(fieldsOf) : [chart];
}

function Panels({
  chart,
  height,
  hidden,
}: {
  readonly chart: PanelChart;
  readonly height: number;
  readonly hidden: ReadonlySet<number>;
}) {
  const columns = chart.columns ?? 2;
  return (
    <div class="panels" style={{ '--columns': String(columns) }}>
      {chart.charts.map((panel) => (
        <div key={panel.title}>
          <h3 class="panel-title">{panel.title}</h3>
          {panel.type !== 'table' && panel.type !== 'panels' && (
            <ChartCanvas chart={panel} height={Math.round(height * 0.65)} hidden={hidden} />
          )}
        </div>
      ))}
    </div>
  );
}

interface LegendProps {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<number>;
  readonly onToggle: (place: number) => void;
}

/** More are found in the table of values. */
const MAX_LEGEND = 40;

function Legend({ names, hidden, onToggle }: LegendProps) {
  if (names.length === 0) return null;
  return (
    <div class="legend chips">
      {names.slice(0, MAX_LEGEND).map((name, place) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={!hidden.has(place)}
          title={hidden.has(place) ? 'Show it again' : 'Hide it'}
          onClick={() => onToggle(place)}
        >
          <span class="swatch" style={{ '--hue': `var(${hueToken(place)})` }} aria-hidden="true" />
          {name}
        </button>
      ))}
      {names.length > MAX_LEGEND && (
        <span class="quiet">and {counted(names.length - MAX_LEGEND, 'more', 'more')}</span>
      )}
    </div>
  );
}

/** Rows of the table of values that are shown; the CSV has all. */
const MAX_ROWS = 300;

function Values({ fields }: { readonly fields: readonly FieldChart[] }) {
  return (
    <Fold name="values" class="values" summary="Values of the chart as a table">
      {() =>
        fields.map((field) => <ValueTable key={field.title} field={field} hasTitle={fields.length > 1} />)
      }
    </Fold>
  );
}

function ValueTable({ field, hasTitle }: { readonly field: FieldChart; readonly hasTitle: boolean }) {
  const table = useMemo(() => chartTable(field), [field]);
  return (
    <>
      {hasTitle && <h3 class="panel-title">{field.title}</h3>}
      <ChartTable chart={table} />
    </>
  );
}

function ChartTable({ chart }: { readonly chart: TableChart }) {
  const rows = chart.rows.slice(0, MAX_ROWS);
  const left = chart.rows.length - rows.length;
  const classOf = (place: number) => (chart.columns[place]?.align === 'right' ? 'number' : '');
  return (
    <Scroll label={chart.title}>
      <table class="values-table">
        <thead>
          <tr>
            {chart.columns.map(({ name }, place) => (
              <th key={`${place} ${name}`} scope="col" class={classOf(place)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at} ${row[0]?.text}`}>
              {row.map(({ text }, place) => (
                <td key={`${place} ${text}`} class={classOf(place)}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="quiet">{counted(left, 'more row')} not shown here; the CSV has all.</p>}
    </Scroll>
  );
}

/** What a logarithmic axis has no place for is counted. */
function notesOf(chart: Chart, fields: readonly FieldChart[]): readonly string[] {
  const lost = fields.flatMap((field) => {
    if (field.type === 'heatmap') return logNotes(field.value, field.values);
    if (field.type === 'box')
      return logNotes(
        field.y,
        field.series.flatMap(({ values }) => values),
      );
    if (field.type === 'bars')
      return logNotes(
        field.y,
        field.series.map(({ values }) => values),
      );
    const [xs, ys] = [field.series.map(({ x }) => x), field.series.map(({ y }) => y)];
    return [...logNotes(field.y, ys), ...logNotes(field.x, xs)];
  });
  return [...new Set([...(chart.notes ?? []), ...lost])];
}

/** Which shade is which value. */
function ShadeKey({ charts }: { readonly charts: readonly FieldChart[] }) {
  const range = chartRange(charts);
  const [first] = charts;
  if (range === undefined || first?.type !== 'heatmap') return null;
  const { unit, label, scale } = first.value;
  return (
    <p class="shade-key">
      <span>{formatNumber(range.low, unit)}</span>
      <span class="shades" aria-hidden="true">
        {SHADES.map((shade) => (
          <span key={shade} class="shade" style={{ '--shade': shade }} />
        ))}
      </span>
      <span>{formatNumber(range.high, unit)}</span>
      <span class="quiet">
        {label}
        {scale === 'log' ? ', logarithmic' : ''}
      </span>
    </p>
  );
}
