import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { seriesText } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument, useMayWrite } from '../../../platform/page/data/use-document.ts';
import { Command, Quantity } from '../../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { ChangeDocument } from '../../app/changes/read-change.ts';
import { certaintyText, eventText, movedText } from '../../core/changes/change-text.ts';
import { Commits, SeriesName, Shift } from '../change-parts.tsx';
import { intervalText } from '../changes/change-columns.tsx';
import { TriageBar } from '../changes/triage-bar.tsx';
import { TRIAGE_STATES, type Triage, useTriage } from '../changes/use-triage.ts';
import { WhatElse } from './change-causes.tsx';
import { ChangeHistory } from './change-history.tsx';

/** One change: how large, since when, what else changed there, its triage, and how to go on. */
export function ChangePage({ parameters: { id = '' } }: { readonly parameters: RouteParameters }) {
  const loaded = useDocument(documentRef<ChangeDocument>(['changes', id], { topic: 'changes' }));
  const triage = useTriage(loaded.reload);
  const mayWrite = useMayWrite();
  const note = useRef<HTMLInputElement>(null);
  useTriageKeys(loaded.value?.change, triage, note);
  return (
    <Show loaded={loaded} height={600}>
      {(found) => (
        <PageFrame
          title={`${found.change.id}: ${seriesText(found.change.series)}`}
          heading={
            <>
              <Shift change={found.change} /> <SeriesName series={found.change.series} />
            </>
          }
          lead={<Lead found={found} />}
          json={`changes/${encodeURIComponent(found.change.id)}`}
        >
          {mayWrite && <TriageBar changes={[found.change]} triage={triage} note={note} />}
          <ChangeHistory found={found} />
          <WhatElse change={found.change} />
          <DuetResult change={found.change} />
          <NextSteps found={found} />
          <ChangeEvents found={found} />
        </PageFrame>
      )}
    </Show>
  );
}

function Lead({ found: { change } }: { readonly found: ChangeDocument }) {
  const { unit, before, after, at, runId, series, p, moved, hardware } = change;
  const { shift, isProvisional, withdrawnAt, state, sources = [] } = change;
  return (
    <>
      {hardware === undefined ? (
        <>
          {moved === undefined ? (
            <>
              <Quantity value={before} unit={unit} /> → <Quantity value={after} unit={unit} />
            </>
          ) : (
            movedText(moved).replace(/^: /, '')
          )}
          , {intervalText(change)} ({Math.round(shift.level * 100)} % interval), certainty {certaintyText(p)}.
        </>
      ) : (
        `Measured on another machine: ${hardware}. Earlier values are not compared with later ones.`
      )}{' '}
      Since{' '}
      {series.kind === 'kpi' ? (
        <>
          <Minute at={at} />, test {runId}
        </>
      ) : (
        <Link to={`/runs/${encodeURIComponent(runId)}`}>
          <Minute at={at} />
        </Link>
      )}
      . State: <strong>{withdrawnAt === undefined ? state : 'withdrawn'}</strong>
      {isProvisional && ', provisional: too few values yet to be sure'}.
      {sources.length > 0 && (
        <>
          {' '}
          Commits:{' '}
          {sources.map((range) => (
            <Commits key={range.source} range={range} />
          ))}
          .
        </>
      )}
    </>
  );
}

/** Commands that find out more, to be typed in the folder of the home. */
export function NextSteps({ found: { change, neighbours } }: { readonly found: ChangeDocument }) {
  const { id, series } = change;
  const between = 'reason' in neighbours ? undefined : neighbours;
  const metric = series.kind === 'value' ? ` --metric ${shellQuote(series.path.join('/'))}` : '';
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next steps</h2>
      {between ? (
        <>
          <p>
            It appeared between <code>{between.before}</code> and <code>{between.after}</code> of{' '}
            {between.source}.{' '}
            <Link to={`/compare/${encodeURIComponent(between.before)}..${encodeURIComponent(between.after)}`}>
              Compare the two
            </Link>
            . In the folder of the home:
          </p>
          <ul class="commands">
            <li>
              <Command text={`nightmark changes confirm ${id}`} /> measures both at the same time
            </li>
            <li>
              <Command
                text={`nightmark bisect ${shellQuote(between.experiment)} --good ${shellQuote(between.before)} --bad ${shellQuote(between.after)}${metric}`}
              />{' '}
              finds the commit
            </li>
            <li>
              <Command text={`nightmark changes show ${id}`} /> shows all of this in a terminal
            </li>
          </ul>
        </>
      ) : (
        <>
          <p>{'reason' in neighbours && neighbours.reason} In the folder of the home:</p>
          <ul class="commands">
            <li>
              <Command text={`nightmark changes show ${id}`} /> shows all of this in a terminal
            </li>
          </ul>
        </>
      )}
    </section>
  );
}

const WORDS = {
  confirmed: 'A duet confirmed it: the two commits differ when they are measured at the same time.',
  withdrawn: 'A duet found the two commits the same when they are measured at the same time.',
  unclear: 'The duet was inconclusive: too much noise, or another direction than the change had.',
} as const;

/** Result of a duet of the commits on either side. */
export function DuetResult({ change: { duet } }: { readonly change: FollowedChange }) {
  if (!duet) return null;
  const { state, at, source, before, after, pairs, metric = 'time of the run command', effect } = duet;
  return (
    <section aria-labelledby="duet">
      <h2 id="duet">Duet of the two commits</h2>
      <p>{WORDS[state]}</p>
      <p>
        {source} <code>{before.slice(0, 12)}</code> and <code>{after.slice(0, 12)}</code>,{' '}
        {counted(pairs, 'pair')}
        {effect &&
          `: ${metric} × ${effect.ratio.toFixed(3)} (${effect.low.toFixed(3)} to ${effect.high.toFixed(3)})`}
        , on <Minute at={at} />.
      </p>
    </section>
  );
}

/** Its events in the ledger, oldest first. */
export function ChangeEvents({ found: { change, events } }: { readonly found: ChangeDocument }) {
  return (
    <section aria-labelledby="life">
      <h2 id="life">Events</h2>
      <ol class="life">
        {events.map((event, place) => (
          <li key={place}>
            <Minute at={event.at} /> {eventText(event, change.unit)}
          </li>
        ))}
      </ol>
      <p class="quiet">
        Rests on the rule {change.detector}; found <Minute at={change.foundAt} />.
      </p>
    </section>
  );
}

/** The keys of the table of changes, on the page of one. */
export function useTriageKeys(
  change: FollowedChange | undefined,
  triage: Triage,
  note: RefObject<HTMLInputElement>,
): void {
  const mayWrite = useMayWrite();
  useEffect(() => {
    if (change === undefined || !mayWrite) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const state = TRIAGE_STATES.find(({ key }) => key === event.key)?.state;
      if (state !== undefined) triage.say([change], { state });
      else if (event.key === 'u') triage.undo();
      else if (event.key === 'n') note.current?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
