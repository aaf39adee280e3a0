import type { RouteDescription } from '../describe/route-config.ts';
import { anything, fields, mapOf } from '../describe/schema.ts';
import { OF_LIST } from './read-docs.ts';

/** What may be asked about several jobs at once. */
export const MANY_DOCS = {
  counts: { summary: 'How many jobs there are, by status', query: OF_LIST, answer: mapOf(anything) },
  compare: {
    summary: 'What jobs have in common and in what they differ: configuration, environment, results',
    query: OF_LIST,
    answer: mapOf(anything),
  },
  code: {
    summary: 'The code of two jobs, compared file by file; null where it is not kept',
    query: { id: 'given twice: the two jobs' },
    answer: fields({ code: anything }),
  },
  series: {
    summary: 'Metrics of many jobs as columns',
    query: { ...OF_LIST, measurement: 'only this one' },
    answer: mapOf(anything),
  },
  table: { summary: 'Jobs as a table, with their settings', query: OF_LIST, answer: { media: ['text/csv'] } },
} as const satisfies Readonly<Record<string, RouteDescription>>;
