import { useEffect, useState } from 'preact/hooks';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { localText } from '../../../platform/page/parts/time.tsx';
import { goTo } from '../../../platform/page/router/address.ts';
import type { CompareView } from '../../app/compare/compare-view.ts';
import type { CompareChoices } from '../../app/compare/list-choices.ts';
import { type Pair, pairPlace } from './pair-address.ts';

export const CHOICES = documentRef<CompareChoices>(['compare', 'choices'], { topic: 'runs' });

interface SideChoiceProps {
  readonly pair: Pair;
  readonly view: CompareView | undefined;
}

/** Two other sides: runs, commits, machines, branches and days are offered while one types. */
export function SideChoice({ pair, view }: SideChoiceProps) {
  const { value: choices } = useDocument(CHOICES);
  const [base, setBase] = useState('');
  const [head, setHead] = useState('');
  const shown = { base: pair.base ?? view?.base.asked ?? '', head: pair.head ?? view?.head.asked ?? '' };
  useEffect(() => {
    setBase(shown.base);
    setHead(shown.head);
  }, [shown.base, shown.head]);
  const submit = (event: Event) => {
    event.preventDefault();
    goTo(pairPlace({ base: base.trim(), head: head.trim() }));
  };
  return (
    <section aria-labelledby="sides">
      <h2 id="sides">Compare others</h2>
      <form class="controls" onSubmit={submit}>
        <SideInput label="base" value={base} onInput={setBase} />
        <SideInput label="head" value={head} onInput={setHead} />
        <button type="submit">Compare</button>
      </form>
      <p class="quiet">
        A side is <code>latest</code>, <code>latest~3</code>, a run by its id or label, a commit (
        <code>6de6d63</code>, <code>repo@6de6d63</code>), <code>machine:NAME</code>, <code>branch:NAME</code>{' '}
        (imports), a day (<code>2026-01-31</code>), days (<code>2026-01-01/2026-01-31</code>) or{' '}
        <code>since:2026-01-01</code>. Days are those of UTC.
      </p>
      <datalist id="compare-sides">
        <option value="latest">newest run</option>
        {choices?.runs.map(({ id, startedAt, commits }) => (
          <option key={id} value={id}>
            {localText(startedAt).slice(0, 16)} {commits.join(' ').slice(0, 80)}
          </option>
        ))}
        {choices?.machines.map((name) => (
          <option key={name} value={`machine:${name}`} />
        ))}
        {choices?.branches.map((name) => (
          <option key={name} value={`branch:${name}`} />
        ))}
      </datalist>
    </section>
  );
}

interface SideInputProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

function SideInput({ label, value, onInput }: SideInputProps) {
  return (
    <label>
      {label}
      <input
        list="compare-sides"
        size={28}
        maxLength={300}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
