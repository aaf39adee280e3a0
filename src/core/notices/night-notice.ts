import { visible } from '../text/visible.ts';
import type { Notice } from './notice.ts';
import { pageLink } from './page-link.ts';
import type { Surroundings } from './trial-notice.ts';

/** A night that ended: `summary` says how. */
export function nightFinished(label: string, summary: string, around: Surroundings): Notice {
  return {
    ...base(around),
    event: 'night-finished',
    state: 'finished',
    severity: 'info',
    title: `Night ${visible(label)}: ${summary}`,
    text: '',
  };
}

/** A night that broke off, or in which nothing succeeded. */
export function nightBroken(label: string, why: string, around: Surroundings): Notice {
  return {
    ...base(around),
    event: 'night-broken',
    state: 'broken',
    severity: 'critical',
    title: `Night ${visible(label)} is broken`,
    text: why.split('\n').map(visible).join('\n'),
  };
}

function base({ runId, at, project, page }: Surroundings) {
  return {
    topic: `night:${runId}`,
    at,
    project,
    runId,
    facts: [],
    ...pageLink(page, 'runs', runId),
    mentions: [],
    charts: [],
    strength: 1000,
  } as const;
}
