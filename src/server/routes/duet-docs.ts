import type { RouteDescription } from '../describe/route-config.ts';
import { anything, fields, list, text } from '../describe/schema.ts';

/** What the documents of duets hold. */
export const DUET_DOCS = {
  list: {
    summary: 'Duets of the home: folders, tables, stored runs, and those that looked at changes',
    answer: fields({ project: text, duets: list(fields({ id: text, place: text, state: text })) }),
  },
  table: { summary: 'The duets of the home as a table', answer: { media: ['text/csv; charset=utf-8'] } },
  one: {
    summary: 'A duet, judged, with what it was measured with',
    answer: fields({ entry: anything, analysis: anything, artifacts: list(anything) }),
  },
  verdicts: {
    summary: 'How many comparisons have which verdict',
    answer: fields({ headline: text, counts: anything }),
  },
  csv: { summary: 'Every run of every comparison as a table', answer: { media: ['text/csv'] } },
  group: {
    summary: 'A comparison: how often pairs had which ratio',
    answer: fields({ 'bins?': anything, orders: list(text) }),
  },
  run: {
    summary: 'A run: when iterations ran, who was compared with whom, and telemetry',
    answer: fields({ pairs: anything, telemetry: anything }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
