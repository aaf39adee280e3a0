import { visible } from '../../../platform/core/text/terminal-text.ts';
import { cutText } from './cut-text.ts';
import type { Notice } from './notice.ts';
import type { Surroundings } from './trial-notice.ts';

const LONGEST_MESSAGE = 600;

/** The pages of a home did not come to a target. */
export function publicationFailed(target: string, why: string, around: Surroundings): Notice {
  return {
    ...base(target, around),
    state: 'failed',
    severity: 'warning',
    title: `The pages were not published: ${visible(target)}`,
    text: `${cutText(why, LONGEST_MESSAGE).split('\n').map(visible).join('\n')}\nThe earlier site is in place. It is tried again after the next night, or by "nightmark publish".`,
  };
}

/** They do again. */
export function publicationRecovered(target: string, around: Surroundings): Notice {
  return {
    ...base(target, around),
    state: 'recovered',
    severity: 'info',
    title: `The pages are published again: ${visible(target)}`,
    text: 'Everything since the last publication is there.',
  };
}

function base(target: string, { at, project, runId, page }: Surroundings) {
  return {
    topic: `publication:${target}`,
    event: 'publication',
    at,
    project,
    runId,
    ...(page !== undefined && { link: page }),
    facts: [],
    mentions: [],
    charts: [],
    strength: 3,
  } as const;
}
