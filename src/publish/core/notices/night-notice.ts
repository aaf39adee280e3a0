import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { Notice } from './notice.ts';
import { pageLink } from './page-link.ts';
import type { Surroundings } from './trial-notice.ts';

export interface NightSummary {
  readonly label: string;
  /** How it went, in a line. */
  readonly summary: string;
  readonly warnings: readonly string[];
}

const MOST_WARNINGS = 10;

/** A night that ended, with its warnings. */
export function nightFinished({ label, summary, warnings }: NightSummary, around: Surroundings): Notice {
  const more = warnings.length - MOST_WARNINGS;
  const lines = warnings.slice(0, MOST_WARNINGS).map((it) => `warning: ${visible(it)}`);
  if (more > 0) lines.push(`and ${more} more.`);
  return {
    ...base(around),
    event: 'night-finished',
    state: 'finished',
    severity: 'info',
    title: `Night ${visible(label)}: ${summary}`,
    text: lines.join('\n'),
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
