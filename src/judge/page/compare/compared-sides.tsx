import { useEffect, useState } from 'preact/hooks';
import { counted, formatChange } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { localText, Minute } from '../../../platform/page/parts/time.tsx';
import { goTo } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { CompareView, SideRun, SideView } from '../../app/compare/compare-view.ts';
import type { CompareChoices } from '../../app/compare/side-choices.ts';
import { type Pair, pairPlace } from './pair-address.ts';

/** Which runs are compared: "base 01-30 (bench-1, repo 6de6d63) → head ...". */
export function SidesLead({ view: { base, head, minEffect } }: { readonly view: CompareView }) {
  const exact = exactPlace(base, head);
  return (
    <span>
      <span class="quiet">from</span> <Side side={base} /> <span class="quiet">to</span> <Side side={head} />{' '}
      <Link to={pairPlace({ base: head.asked, head: base.asked })}>swap</Link>{' '}
      {exact !== undefined && <Link to={exact}>link to just these</Link>}{' '}
      <span class="quiet">· the same: within {formatChange(minEffect).replace('+', '')}</span>
      {isSingle(base) && isSingle(head) && (
        <span class="quiet">
          {' '}
          · a value of one run on each side has no interval: days or commits with several runs have
        </span>
      )}
    </span>
  );
}

function isSingle({ runs }: SideView): boolean {
  return runs.length === 1;
}

/** The newest run is another one tomorrow: an address that stays, where this one does not. */
function exactPlace(base: SideView, head: SideView): string | undefined {
  const isMoving = [base, head].some(({ asked }) => asked.startsWith('latest'));
  const [one, other] = [base.runs[0], head.runs[0]];
  const isPair = base.runs.length === 1 && head.runs.length === 1;
  return isMoving && isPair && one && other ? pairPlace({ base: one.id, head: other.id }) : undefined;
}

function Side({ side: { runs, matched } }: { readonly side: SideView }) {
  const [newest] = runs;
  const oldest = runs.at(-1);
  if (newest === undefined || oldest === undefined) return null;
  const machines = [...new Set(runs.flatMap(({ machine }) => machine ?? []))];
  const facts = [...machines, ...commitTexts(runs)];
  return (
    <>
      {runs.length === 1 ? (
        <Link to={`/runs/${encodeURIComponent(newest.id)}`}>{newest.label}</Link>
      ) : (
        <>
          <strong>{counted(runs.length, 'run')}</strong>
          {matched > runs.length && ` (the newest of ${matched})`},{' '}
          <Link to={`/runs/${encodeURIComponent(oldest.id)}`}>{oldest.label}</Link> to{' '}
          <Link to={`/runs/${encodeURIComponent(newest.id)}`}>{newest.label}</Link>
        </>
      )}{' '}
      <span class="quiet">
        (<Minute at={newest.startedAt} />
        {facts.length > 0 && `, ${facts.join(', ')}`}
        {newest.origin !== 'measured' && `, ${newest.origin} data`})
      </span>
    </>
  );
}

/** A source that is at one commit in all runs of the side. */
function commitTexts(runs: readonly SideRun[]): readonly string[] {
  const found = new Map<string, Set<string>>();
  for (const { commits } of runs) {
    for (const [name, hash] of Object.entries(commits))
      found.set(name, (found.get(name) ?? new Set()).add(hash));
  }
  const texts = [...found].map(([name, hashes]) =>
    hashes.size === 1 ? `${name} ${[...hashes][0]?.slice(0, 20)}` : `${hashes.size} commits of ${name}`,
  );
  return texts.length > 3 ? [...texts.slice(0, 3), `${texts.length - 3} more sources`] : texts;
}

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
