import type { RouteDescription } from '../describe/route-config.ts';
import { anything, fields, list, mapOf } from '../describe/schema.ts';

const SIDES = {
  base: 'a run, "latest~1", a commit, "machine:NAME" ...; the one before on the same machine if left out',
  head: 'the same; the newest run if left out',
};
const BOTH = { ...SIDES, details: '1: with spreads and counts' };

/** What may be asked about two sets of runs. */
export const COMPARE_DOCS = {
  compare: {
    summary:
      'Two sets of runs beside each other: every series with its effect and verdict, and what else differs',
    query: BOTH,
    answer: fields({ rows: list(mapOf(anything)), base: mapOf(anything), head: mapOf(anything) }),
  },
  table: { summary: 'The same as a table', query: BOTH, answer: { media: ['text/csv'] } },
  comment: {
    summary: 'The same as a comment for a pull request',
    query: BOTH,
    answer: { media: ['text/markdown'] },
  },
  choices: { summary: 'What can be compared: runs, commits, machines, branches', answer: mapOf(anything) },
  series: {
    summary: 'The values of one series on both sides, and its recent past',
    query: { ...SIDES, experiment: 'its experiment', path: 'a part of its path; several times' },
    answer: mapOf(anything),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
