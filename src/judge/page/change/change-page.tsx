import { useRef } from 'preact/hooks';
import { seriesText } from '../../../home/core/changes/change.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument, useMayWrite } from '../../../platform/page/data/use-document.ts';
import { Quantity } from '../../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { ChangeDocument } from '../../app/changes/read-change.ts';
import { certaintyText, movedText } from '../../core/changes/change-text.ts';
import { Shift } from '../change.tsx';
import { intervalText } from '../changes/change-columns.tsx';
import { TriageBar } from '../changes/triage-bar.tsx';
import { useTriage } from '../changes/use-triage.ts';
import { SeriesName } from '../series-name.tsx';
import { ChangeHistory } from './change-history.tsx';
import { ChangeLife } from './change-life.tsx';
import { DuetResult } from './duet-result.tsx';
import { NextSteps } from './next-steps.tsx';
import { useTriageKeys } from './use-triage-keys.ts';
import { WhatElse } from './what-else.tsx';

/** One change: how large, since when, what else changed there, what was said, and how to go on. */
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
          <ChangeLife found={found} />
        </PageFrame>
      )}
    </Show>
  );
}

function Lead({ found: { change } }: { readonly found: ChangeDocument }) {
  const { unit, before, after, at, runId, series, p, moved, shift, isProvisional, withdrawnAt, state } =
    change;
  return (
    <>
      {moved === undefined ? (
        <>
          <Quantity value={before} unit={unit} /> → <Quantity value={after} unit={unit} />
        </>
      ) : (
        movedText(moved).replace(/^: /, '')
      )}
      , {intervalText(change)} ({Math.round(shift.level * 100)} % interval), certainty {certaintyText(p)}.
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
      {isProvisional && ', provisional: too few values have come yet to be sure'}.
    </>
  );
}
