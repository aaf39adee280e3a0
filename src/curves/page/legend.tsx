import { hueToken } from '../../charts/page/colours.ts';
import type { CurvesView } from '../app/curves-view.ts';

interface LegendProps {
  readonly algorithms: CurvesView['algorithms'];
  readonly hue: ReadonlyMap<string, number>;
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (algorithm: string) => void;
}

/** One button for each algorithm: shows and hides its lines in all charts. */
export function Legend({ algorithms, hue, hidden, onToggle }: LegendProps) {
  return (
    <fieldset class="legend chips">
      <legend class="quiet">algorithms</legend>
      {algorithms.map(({ name, isBaseline }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-pressed={!hidden.has(name)}
          onClick={() => onToggle(name)}
        >
          <svg width="22" height="8" aria-hidden="true">
            <line
              x1="0"
              x2="22"
              y1="4"
              y2="4"
              stroke-width="2"
              stroke-dasharray={isBaseline ? '7 4' : undefined}
              style={{ stroke: `var(${hueToken(hue.get(name) ?? 99)})` }}
            />
          </svg>{' '}
          {name}
        </button>
      ))}
    </fieldset>
  );
}
