import type { ComponentChildren } from 'preact';
import { counted } from '../../core/text/numbers.ts';
import { currentAddress, setParameters, useParameter, useParameters } from '../router/address.ts';
import { Link } from '../router/link.tsx';

interface FoldProps {
  /** In the address when the reader has toggled it; unique on the page. */
  readonly name: string;
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Open until the reader closes it. */
  readonly isOpenFirst?: boolean;
  /** A function is called only while it is open. */
  readonly children: ComponentChildren | (() => ComponentChildren);
}

/** A part of the page that opens and closes; a reload and a copied link show it as it was. */
export function Fold({ name, summary, class: className = '', isOpenFirst = false, children }: FoldProps) {
  const turned = useParameters('open');
  const isOpen = turned.includes(name) !== isOpenFirst;
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) => {
    // The event comes later than the click: what is in the address by now counts.
    const others = currentAddress()
      .query.getAll('open')
      .filter((one) => one !== name);
    if (open !== isOpen) setParameters({ open: open === isOpenFirst ? others : [...others, name] });
  };
  return (
    <details class={className} open={isOpen} onToggle={onToggle}>
      <summary>{summary}</summary>
      {typeof children === 'function' ? isOpen && children() : children}
    </details>
  );
}

interface FilterBoxProps {
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
  /** What is searched: "name or value". */
  readonly placeholder: string;
  /** How many it hides, and what one of them is called; absent: it is shown elsewhere. */
  readonly hidden?: number;
  readonly one?: string;
}

/** A text to search for in a table; hidden rows are counted, and one click shows them. */
export function FilterBox({ value, onChange, placeholder, hidden = 0, one = 'row' }: FilterBoxProps) {
  return (
    <>
      <label>
        filter
        <input
          type="search"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          placeholder={placeholder}
        />
      </label>
      {hidden > 0 && (
        <span class="quiet">
          {counted(hidden, one)} hidden by the filter{' '}
          <button type="button" class="plain link" onClick={() => onChange(undefined)}>
            show all
          </button>
        </span>
      )}
    </>
  );
}

/** Two clicks compare two runs of a table: one chooses the first, the second leads to the comparison. */
export function ComparePick({ runId }: { readonly runId: string }) {
  const [base] = useParameter('base');
  if (base !== undefined && base !== runId) return <Link to={comparePlace(base, runId)}>compare</Link>;
  const isBase = base === runId;
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isBase}
      title={isBase ? 'Chosen: click “compare” beside another run' : 'Choose it, then another one'}
      onClick={() => setParameters({ base: isBase ? undefined : runId })}
    >
      {isBase ? 'chosen' : 'compare'}
    </button>
  );
}

/** The older one is the base, whichever was chosen first: ids sort by time. */
export function comparePlace(one: string, other: string): string {
  const [base, head] = one < other ? [one, other] : [other, one];
  return `/compare/${encodeURIComponent(base)}..${encodeURIComponent(head)}`;
}
