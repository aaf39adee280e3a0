import { useState } from 'preact/hooks';
import { counted } from '../../platform/core/text/numbers.ts';
import type { SettingColumn } from '../core/explorer/entry-table.ts';
import { placeText } from '../core/explorer/explorer-view.ts';

interface ValueChoiceProps {
  readonly setting: SettingColumn;
  /** Tests by place of the value. */
  readonly counts: ReadonlyMap<number, number>;
  /** Undefined: all. */
  readonly chosen: ReadonlySet<number> | undefined;
  /** An empty list is all. */
  readonly onChoose: (places: readonly number[]) => void;
}

/** Few values are buttons side by side; many are a list with a search. */
const FEW = 10;
const MAX_SHOWN = 200;

export function ValueChoice(props: ValueChoiceProps) {
  const { setting, counts, chosen } = props;
  if (counts.size <= FEW) return <Values {...props} places={[...counts.keys()]} />;
  return (
    <details class="value-choice">
      <summary>
        {chosen === undefined
          ? `all ${counted(counts.size, 'value')}`
          : chosen.size === 1
            ? placeText(setting, [...chosen][0] ?? 0)
            : `${chosen.size} of ${counted(counts.size, 'value')}`}
      </summary>
      <ManyValues {...props} />
    </details>
  );
}

function ManyValues(props: ValueChoiceProps) {
  const { setting, counts, chosen } = props;
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase();
  const found = [...counts.keys()].filter(
    (place) => chosen?.has(place) || placeText(setting, place).toLowerCase().includes(wanted),
  );
  return (
    <>
      <p>
        <label>
          search{' '}
          <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>{' '}
        {found.length > MAX_SHOWN && (
          <span class="quiet">{counted(found.length - MAX_SHOWN, 'more value')}</span>
        )}
      </p>
      <Values {...props} places={found.slice(0, MAX_SHOWN)} />
    </>
  );
}

function Values({
  setting,
  counts,
  chosen,
  onChoose,
  places,
}: ValueChoiceProps & { readonly places: readonly number[] }) {
  const toggle = (place: number) => {
    const next = new Set(chosen ?? []);
    if (!next.delete(place)) next.add(place);
    onChoose(next.size === counts.size ? [] : [...next].sort((a, b) => a - b));
  };
  return (
    <fieldset class="chips">
      <legend class="hidden-text">Values of {setting.name}</legend>
      <button type="button" class="chip" aria-pressed={chosen === undefined} onClick={() => onChoose([])}>
        all
      </button>
      {places.map((place) => (
        <button
          key={place}
          type="button"
          class="chip"
          aria-pressed={chosen?.has(place) ?? false}
          title={counted(counts.get(place) ?? 0, 'test')}
          onClick={() => toggle(place)}
        >
          {placeText(setting, place)}
        </button>
      ))}
    </fieldset>
  );
}
