import { useMemo } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { setParameters } from '../../../platform/page/router/address.ts';
import { findPlaces } from './log-place.ts';
import type { LogStretch } from './log-stretch.ts';

interface LogSearchProps {
  readonly stretches: readonly LogStretch[];
  readonly find: string;
  readonly line: string | undefined;
}

/** Goes from one line with the text to the next; which one is in the address. */
export function LogSearch({ stretches, find, line }: LogSearchProps) {
  const places = useMemo(() => findPlaces(stretches, find), [stretches, find]);
  const here = line === undefined ? -1 : places.indexOf(line);
  const go = (step: number) => {
    const from = here < 0 && step < 0 ? 0 : here;
    const place = places[(from + step + places.length) % places.length];
    if (place !== undefined) setParameters({ line: place });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  return (
    <div class="controls">
      <label>
        search
        <input
          type="search"
          value={find}
          onInput={({ currentTarget }) => setParameters({ find: currentTarget.value })}
          onKeyDown={onKeyDown}
          placeholder="text of a line"
        />
      </label>
      {find !== '' && (
        <span role="status">
          {places.length === 0 ? 'in no line that is shown' : `in ${counted(places.length, 'line')}`}
          {here >= 0 && `, this is the ${here + 1}.`}{' '}
          <button type="button" class="small" disabled={places.length === 0} onClick={() => go(-1)}>
            previous
          </button>{' '}
          <button type="button" class="small" disabled={places.length === 0} onClick={() => go(1)}>
            next
          </button>
        </span>
      )}
    </div>
  );
}
