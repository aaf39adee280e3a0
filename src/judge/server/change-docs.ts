import {
  anything,
  count,
  fields,
  list,
  type RouteDescription,
  text,
} from '../../platform/server/route-config.ts';

const state = { enum: ['new', 'confirmed', 'expected', 'fixed', 'false'] };
const change = fields({ id: text, series: anything, state });
const word = { state, 'note?': text, 'author?': text };

/** What the documents of changes hold. */
export const CHANGE_DOCS = {
  table: {
    summary: 'Every change, what stopped coming, and how often the detector was right',
    answer: fields({ project: text, changes: list(change), leftOut: count, scores: list(anything) }),
  },
  around: {
    summary: 'A few values around changes, and the commits of their runs; pages of 50, from 0',
    answer: fields({ around: list(fields({ id: text, values: list(anything), place: count })) }),
  },
  csv: { summary: 'Every change as a table', answer: { media: ['text/csv'] } },
  one: {
    summary: 'One change with its series, its levels and what was written down about it',
    answer: fields({ change, events: list(anything), ofSeries: list(change), neighbours: anything }),
  },
  explanation: {
    summary: 'What else changed where a series changed, ranked; or the reason why that cannot be told',
    answer: fields({ 'explanation?': anything, 'reason?': text }),
  },
  triage: {
    summary: 'Says what a change is; the name of the token is the author, where one is shown',
    body: fields(word),
    answer: change,
  },
  triageMany: {
    summary: 'Says what several changes are, all or none',
    body: fields({ ids: list(text), ...word }),
    answer: fields({ changes: list(change) }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;
