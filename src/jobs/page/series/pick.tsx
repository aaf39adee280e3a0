import type { JSX } from 'preact';

interface PickProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly onPick: (value: string) => void;
}

/** One of several. */
export function Pick({ label, value, options, onPick }: PickProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PickManyProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly options: readonly (readonly [value: string, word: string])[];
  /** What it means that nothing is chosen. */
  readonly none: string;
  readonly onPick: (values: readonly string[]) => void;
}

/** Any number of several, by checkboxes: nobody needs to know about Ctrl-click. */
export function PickMany({ label, values, options, none, onPick }: PickManyProps) {
  const labels = options.filter(([value]) => values.includes(value)).map(([, word]) => word);
  const toggle = (value: string) =>
    onPick(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  return (
    <div class="pick-many">
      <span class="quiet">{label}</span>
      <details onToggle={closeOutside}>
        <summary aria-label={`${label}: ${labels.join(', ') || none}`}>{labels.join(', ') || none}</summary>
        <div class="choices">
          {options.map(([value, word]) => (
            <label key={value}>
              <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} /> {word}
            </label>
          ))}
          {options.length === 0 && <span class="quiet">there are none</span>}
        </div>
      </details>
    </div>
  );
}

/** A click elsewhere, or Escape, closes it. */
function closeOutside({ currentTarget: details }: JSX.TargetedEvent<HTMLDetailsElement>): void {
  if (!details.open) return;
  const control = new AbortController();
  const { signal } = control;
  const close = () => {
    details.open = false;
    control.abort();
  };
  addEventListener('pointerdown', ({ target }) => !details.contains(target as Node) && close(), { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && close(), { signal });
}

interface RangeProps {
  readonly label: string;
  readonly value: readonly [number, number] | undefined;
  readonly onRange: (range: readonly [number, number] | undefined) => void;
}

/** From and to; empty: everything. */
export function RangeField({ label, value, onRange }: RangeProps) {
  const read = (text: string) => {
    const [from, to] = text
      .split(/\.\.|\s+/)
      .filter((part) => part !== '')
      .map(Number);
    const isRange = from !== undefined && to !== undefined && from < to;
    onRange(isRange ? [from, to] : undefined);
  };
  return (
    <label>
      {label}
      <input
        size={11}
        placeholder="from..to"
        value={value ? `${value[0]}..${value[1]}` : ''}
        onChange={(event) => read(event.currentTarget.value)}
      />
    </label>
  );
}
