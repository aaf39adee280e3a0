import { type Absentee, seriesKey } from '../../../home/core/changes/change.ts';
import type { Absence } from '../../../home/core/changes/change-ledger.ts';
import { absenceText, absenteeText } from '../../../judge/core/changes/change-text.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';
import type { Notice } from './notice.ts';
import { pageLink } from './page-link.ts';
import type { Surroundings } from './trial-notice.ts';

/** Something stopped coming. */
export function missingNotice(absence: Absence, around: Surroundings): Notice {
  return {
    ...base(absence.series, around),
    state: 'missing',
    severity: 'warning',
    title: `No data: ${absenceText(absence)}`,
    text: 'It came in every night before. Was it renamed, switched off, or does it fail without a word?',
    strength: absence.count ?? 1,
  };
}

/** It is back. */
export function returnedNotice(absentee: Absentee, around: Surroundings): Notice {
  return {
    ...base(absentee, around),
    state: 'returned',
    severity: 'info',
    title: `Data is back: ${absenteeText(absentee)}`,
    text: 'It comes again.',
    strength: 1,
  };
}

function base(series: Absentee, { at, project, runId, page }: Surroundings) {
  const experiment =
    series.kind === 'value' || series.kind === 'experiment'
      ? series.experiment
      : series.kind === 'kpi'
        ? series.name
        : undefined;
  const hasPage = series.kind === 'value' || series.kind === 'experiment';
  return {
    topic: `missing:${textHash(seriesKey(series))}`,
    event: 'missing',
    at,
    project,
    runId,
    ...(experiment !== undefined && { experiment }),
    facts: [],
    ...(hasPage ? pageLink(page, 'experiments', series.experiment) : pageLink(page, 'changes')),
    mentions: [],
    charts: [],
  } as const;
}
