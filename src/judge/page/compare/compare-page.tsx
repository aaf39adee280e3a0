import { State } from '../../../home/page/state.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { useAddress, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { CompareView, SideFailure } from '../../app/compare/compare-view.ts';
import { answerText } from '../../core/compare/compare-text.ts';
import { CompareTable } from './compare-table.tsx';
import { CHOICES, SideChoice, SidesLead } from './compared-sides.tsx';
import { DifferenceSection } from './difference-section.tsx';
import { type Pair, readPair } from './pair-address.ts';

/** /compare/BASE..HEAD: the answer, what differs, and only then the choice of sides. */
export function ComparePage() {
  const { path } = useAddress();
  const pair = readPair(path);
  const [details] = useParameter('details');
  const query = { ...pair, ...(details === '1' && { details }) };
  // Without two runs there is nothing to request, and that is not an error.
  const { isLive } = theSource();
  const choices = useDocument(isLive && path === '/compare' ? CHOICES : undefined).value;
  const isRequested = !isLive || path !== '/compare' || (choices?.runs.length ?? 0) > 1;
  const loaded = useDocument(
    isRequested ? documentRef<CompareView>(['compare'], { query, topic: 'runs' }) : undefined,
  );
  const view = loaded.value;
  const search = new URLSearchParams(query).toString();
  const end = search === '' ? '' : `?${search}`;
  return (
    <PageFrame
      title={titleOf(pair)}
      heading={view ? headingOf(view) : 'Compare'}
      {...(view && { lead: <SidesLead view={view} />, json: `compare${end}`, csv: `compare.csv${end}` })}
    >
      {choices && !isRequested ? (
        <Empty command="nightmark run">
          Here you will see what became faster or slower between two runs, commits, branches or machines.{' '}
          {choices.runs.length === 0 ? 'No run has results yet' : 'There is one run with results'}; this
          command measures {choices.runs.length === 0 ? 'one' : 'another'}:
        </Empty>
      ) : (
        <Show loaded={loaded} height={500}>
          {(found) => <Comparison view={found} markdown={`/api/compare.md${end}`} />}
        </Show>
      )}
      {isLive && isRequested && <SideChoice pair={pair} view={view} />}
    </PageFrame>
  );
}

function Comparison({ view, markdown }: { readonly view: CompareView; readonly markdown: string }) {
  return (
    <>
      {view.notes.map((note) => (
        <p key={note} class="stale">
          {note}
        </p>
      ))}
      <CompareTable view={view} />
      <FailureSection failures={view.failures} />
      <DifferenceSection differences={view.differences} />
      {theSource().isLive && (
        <p class="quiet">
          <a href={markdown}>As a comment for a pull request</a> (Markdown)
        </p>
      )}
    </>
  );
}

/** What failed on both sides has no row, and is shown all the same. */
function headingOf({ counts, rows, failures }: CompareView): string {
  const shown = new Set(
    rows.filter(({ verdict }) => verdict === 'failed').map(({ experiment }) => experiment),
  );
  const others = failures.filter(({ side, experiment }) => side === 'head' && !shown.has(experiment));
  const failed = others.length === 0 ? '' : `, ${counted(others.length, 'experiment')} failed in head`;
  return `${answerText(counts)}${failed}`;
}

function titleOf({ base, head }: Pair): string {
  return base === undefined && head === undefined ? 'Compare' : `${base ?? ''}..${head ?? ''}`;
}

const LINES = 10;

/** Experiments that failed on either side: they have no values, or fewer. */
export function FailureSection({ failures }: { readonly failures: readonly SideFailure[] }) {
  const [isAll, setAll] = useParameter('failures');
  if (failures.length === 0) return null;
  const shown = isAll === 'all' ? failures : failures.slice(0, LINES);
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Failed</h2>
      <ul>
        {shown.map((failure) => (
          <FailureLine key={`${failure.side} ${failure.experiment}`} failure={failure} />
        ))}
      </ul>
      {failures.length > shown.length && (
        <button type="button" class="plain link" onClick={() => setAll('all')}>
          {counted(failures.length - shown.length, 'more failure')}
        </button>
      )}
    </section>
  );
}

function FailureLine({ failure }: { readonly failure: SideFailure }) {
  const { side, experiment, runId, failedStage, failed, of, message } = failure;
  const run = `/runs/${encodeURIComponent(runId)}`;
  const hasLog = failedStage !== undefined && failedStage !== 'precheck';
  const place = hasLog ? `${run}/logs/experiment/${encodeURIComponent(experiment)}/${failedStage}` : run;
  return (
    <li>
      <State state="failed" /> in {side}:{' '}
      <Link to={`/experiments/${encodeURIComponent(experiment)}`}>{experiment}</Link>
      {failedStage !== undefined && `, ${failedStage} stage`}
      {of > 1 && `, in ${failed} of ${of} runs`} <Link to={place}>{hasLog ? 'log' : 'run'}</Link>
      {message !== '' && <div class="quiet message">{message}</div>}
    </li>
  );
}
