import { counted } from '../../core/text/numbers.ts';

interface FilterBoxProps {
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
  /** What is looked through: "name or value". */
  readonly placeholder: string;
  /** How many it hides, and what one of them is called; absent: somebody else says so. */
  readonly hidden?: number;
  readonly one?: string;
}

/** Words to look for in a table; what they hide is counted, and one click away. */
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
