import { counted, formatChange } from '../../../platform/core/text/numbers.ts';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { CompareView, SideRun, SideView } from '../../app/compare/compare-view.ts';
import { pairPlace } from './pair-address.ts';

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
