import { hueToken } from '../../../charts/page/colours.ts';
import { setParameters } from '../../../platform/page/router/address.ts';
import { DASHES, type Legend, propertyLabel } from './curve-properties.ts';

interface LegendProps {
  readonly legend: Legend;
  readonly hue: string | undefined;
  readonly pattern: string | undefined;
  readonly mark: string | undefined;
}

const HUES = 8;

/** Which colour and which dashes stand for what. */
export function SeriesLegend({ legend: { hues, dashes }, hue, pattern, mark }: LegendProps) {
  return (
    <div class="series-legend">
      {hue !== undefined && (
        <p>
          <span class="quiet">{propertyLabel(hue)}:</span>
          {hues.slice(0, HUES).map((value, place) => (
            <Key key={value} value={value} hue={place} dash={0} />
          ))}
          {hues.length > HUES && (
            <span class="quiet">
              <Sample hue={HUES} dash={0} /> {hues.length - HUES} more in grey{' '}
              <input
                type="search"
                size={14}
                aria-label={`Give the colours to those of ${propertyLabel(hue)} that hold this text`}
                placeholder="colour those with …"
                value={mark ?? ''}
                onInput={(event) => setParameters({ mark: event.currentTarget.value })}
              />
            </span>
          )}
        </p>
      )}
      {pattern !== undefined && (
        <p>
          <span class="quiet">{propertyLabel(pattern)}:</span>
          {dashes.slice(0, 20).map((value, place) => (
            <Key key={value} value={value} hue={HUES} dash={place} />
          ))}
          {dashes.length > DASHES.length && (
            <span class="quiet">dashes begin anew after {DASHES.length}</span>
          )}
        </p>
      )}
    </div>
  );
}

function Key({ value, hue, dash }: { readonly value: string; readonly hue: number; readonly dash: number }) {
  return (
    <span class="key">
      <Sample hue={hue} dash={dash} /> {value === '' ? '(none)' : value}
    </span>
  );
}

function Sample({ hue, dash }: { readonly hue: number; readonly dash: number }) {
  return (
    <svg width="26" height="8" aria-hidden="true">
      <line
        x1="0"
        x2="26"
        y1="4"
        y2="4"
        stroke-width="2"
        stroke-dasharray={(DASHES[dash % DASHES.length] ?? []).join(' ')}
        style={{ stroke: `var(${hueToken(hue)})` }}
      />
    </svg>
  );
}
