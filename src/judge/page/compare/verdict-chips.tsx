import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { setParameters } from '../../../platform/page/router/address.ts';
import type { ComparedRow, RowCounts, RowVerdict } from '../../core/compare/compared-row.ts';
import type { Shown } from './shown-rows.ts';

interface VerdictChipsProps {
  readonly counts: RowCounts;
  readonly all: number;
  readonly shown: Shown;
}

/** How many there are of each verdict; a click shows only those. */
export function VerdictChips({ counts, all, shown }: VerdictChipsProps) {
  const differing = all - counts.same - counts.undecided;
  const verdicts = (Object.keys(VERDICT_LABELS) as RowVerdict[]).filter((verdict) => counts[verdict] > 0);
  return (
    <fieldset class="chips">
      <legend>show</legend>
      {differing > 0 && <Chip name="differing" word="what differs" count={differing} shown={shown} />}
      {verdicts.length > 1 &&
        verdicts.map((verdict) => (
          <Chip
            key={verdict}
            name={verdict}
            word={VERDICT_LABELS[verdict][1]}
            count={counts[verdict]}
            shown={shown}
          />
        ))}
      <Chip name="all" word="all" count={all} shown={shown} />
    </fieldset>
  );
}

interface ChipProps {
  readonly name: Shown;
  readonly word: string;
  readonly count: number;
  readonly shown: Shown;
}

function Chip({ name, word, count, shown }: ChipProps) {
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={shown === name}
      onClick={() => setParameters({ show: name })}
    >
      {word} {formatNumber(count)}
    </button>
  );
}

/** A sign, a word, and whether it is good; the colour only repeats the word. */
const VERDICT_LABELS: Readonly<Record<RowVerdict, readonly [sign: string, word: string, look: string]>> = {
  failed: ['✕', 'failed', 'worse'],
  slower: ['▲', 'slower', 'worse'],
  faster: ['▼', 'faster', 'better'],
  changed: ['◆', 'changed', ''],
  same: ['=', 'same', 'quiet'],
  undecided: ['~', 'undecided', 'quiet'],
  gone: ['−', 'only in base', ''],
  new: ['+', 'only in head', ''],
};

/** The arrow says which way the value went, the word whether that is good. */
export function VerdictMark({ row: { verdict, likely, shift } }: { readonly row: ComparedRow }) {
  const [usual, plain, look] = VERDICT_LABELS[verdict];
  const word = likely === undefined ? plain : `likely ${likely}`;
  const isMove = verdict === 'slower' || verdict === 'faster' || verdict === 'changed';
  const sign = isMove && shift ? (shift.difference > 0 ? '▲' : '▼') : usual;
  return (
    <span class={`change ${look}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
