import { useMemo } from 'preact/hooks';
import { counted, formatNumber } from '../../platform/core/text/numbers.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { useParameter } from '../../platform/page/router/address.ts';
import { HistoryChart } from './history-chart.tsx';

/** The values of one sensor over time. */
export interface Reading {
  readonly name: string;
  readonly unit: string;
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** Further facts of all of it: the values may have been thinned out. */
  readonly words?: string;
}

interface ReadingsProps {
  readonly readings: readonly Reading[];
  /** Charts that are drawn until the reader requests all. */
  readonly first: number;
}

/** Charts of what the machine did. A reading that never moved disturbed nothing: those are named, not drawn. */
export function Readings({ readings, first }: ReadingsProps) {
  const [all, setAll] = useParameter('telemetry');
  const moving = readings.filter((one) => !isStill(one));
  const still = readings.filter(isStill);
  const shown = all === 'all' ? moving : moving.slice(0, first);
  return (
    <>
      <div class="charts">
        {shown.map((reading) => (
          <ReadingChart key={reading.name} reading={reading} />
        ))}
      </div>
      {moving.length > shown.length && (
        <p>
          <button type="button" class="small" onClick={() => setAll('all')}>
            show {counted(moving.length - shown.length, 'more reading')}
          </button>
        </p>
      )}
      {still.length > 0 && (
        <Fold name="still" summary={<>{counted(still.length, 'reading')} did not move</>}>
          <ul>
            {still.map(({ name, unit, values: [value] }) => (
              <li key={name}>
                {name}: {value === undefined ? 'nothing read' : formatNumber(value, unit)}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}

function isStill({ values }: Reading): boolean {
  return values.every((value) => value === values[0]);
}

function ReadingChart({ reading: { name, unit, times, values, words } }: { readonly reading: Reading }) {
  const lines = useMemo(() => [{ name, times, values }], [name, times, values]);
  return (
    <figure>
      <figcaption>
        {name}
        {words !== undefined && `: ${words}`}
      </figcaption>
      <HistoryChart series={lines} unit={unit} height={130} />
    </figure>
  );
}
