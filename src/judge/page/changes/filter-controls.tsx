import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { compareNaturally } from '../../../platform/core/text/text-order.ts';
import { setParameters } from '../../../platform/page/router/address.ts';
import { type ChangeChoice, facetCounts, STATE_CHOICES } from './change-filter.ts';

interface ChoiceProps {
  readonly changes: readonly FollowedChange[];
  readonly choice: ChangeChoice;
  readonly shown: number;
}

/** Which changes are shown. Every value says how many it would show; what is hidden is counted. */
export function ChoiceControls({ changes, choice, shown }: ChoiceProps) {
  const states = facetCounts(changes, choice, 'state');
  const hidden = changes.length - shown;
  return (
    <div class="controls">
      <fieldset class="chips">
        <legend>state</legend>
        {STATE_CHOICES.filter((state) => states.has(state) || state === choice.state || state === 'open').map(
          (state) => (
            <button
              key={state}
              type="button"
              class="chip"
              aria-pressed={choice.state === state}
              onClick={() => setParameters({ state: state === 'open' ? undefined : state, open: undefined })}
            >
              {state} {states.get(state) ?? 0}
            </button>
          ),
        )}
      </fieldset>
      <Facet name="direction" label="direction" {...{ changes, choice }} />
      <Facet name="kind" label="of" {...{ changes, choice }} words={KINDS} />
      <Facet name="group" label="experiment" {...{ changes, choice }} />
      <label>
        filter
        <input
          type="search"
          value={choice.text ?? ''}
          onInput={({ currentTarget }) => setParameters({ text: currentTarget.value })}
          placeholder="name, run, note"
        />
      </label>
      {hidden > 0 && (
        <span class="quiet">
          {counted(hidden, 'change')} hidden{' '}
          <button type="button" class="plain link" onClick={() => setParameters(EVERYTHING)}>
            show all
          </button>
        </span>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = { machine: 'machines', series: 'series' };
const EVERYTHING = {
  state: 'all',
  direction: undefined,
  kind: undefined,
  group: undefined,
  text: undefined,
};

interface FacetProps extends Omit<ChoiceProps, 'shown'> {
  readonly name: 'direction' | 'kind' | 'group';
  readonly label: string;
  readonly words?: Readonly<Record<string, string>>;
}

/** A list with counts; nothing where there is nothing to choose. */
function Facet({ changes, choice, name, label, words = {} }: FacetProps) {
  const counts = facetCounts(changes, choice, name);
  const chosen = choice[name];
  const values = [...new Set([...counts.keys(), ...(chosen === undefined ? [] : [chosen])])].sort(
    compareNaturally,
  );
  if (values.length < 2 && chosen === undefined) return null;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return (
    <label>
      {label}
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}
      >
        <option value="">any ({all})</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {(words[value] ?? value).slice(0, 80)} ({counts.get(value) ?? 0})
          </option>
        ))}
      </select>
    </label>
  );
}
