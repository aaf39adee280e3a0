import {
  anything,
  count,
  described,
  fields,
  list,
  mapOf,
  number,
  type RouteDescription,
  text,
  timestamp,
  yesOrNo,
} from './route-config.ts';

/** Runs that one request gets. */
export const RUNS_LISTED = { usual: 60, most: 500 } as const;

const run = fields({
  id: text,
  kind: { enum: ['night', 'duet', 'matrix', 'job', 'import'] },
  project: text,
  label: text,
  state: { enum: ['running', 'finished', 'interrupted', 'failed'] },
  startedAt: timestamp,
  'endedAt?': timestamp,
  warnings: list(text),
});
const counts = mapOf(count);
const night = { run, experiments: counts, subsystems: counts };
const trial = fields({ runId: text, task: text, kind: { enum: ['experiment', 'subsystem'] }, state: text });
const series = fields({ path: list(text), times: list(timestamp), values: list(number) });
const stage = fields({ task: text, stage: text, success: yesOrNo, message: text, durationMs: number });

const CSV = { media: ['text/csv; charset=utf-8'] };
const runFilter = {
  kind: 'only night, duet, matrix, job or import',
  state: 'only finished, failed (with a task that did), running or interrupted',
  text: 'words that must all occur in the names of the run, its tasks, machine or commits',
};

/** What the documents of the pages hold. */
export const API_DOCS = {
  status: {
    summary: 'The newest run, and a token that changes when there is something new',
    answer: fields({ token: text, 'newest?': fields(night), isReadOnly: yesOrNo }),
  },
  experiments: {
    summary: 'The home: the last nights, every experiment with its newest values, what needs attention',
    answer: fields({
      project: text,
      'running?': fields(night),
      'last?': fields(night),
      experiments: list(fields({ name: text, state: text, trial, values: list(series), moreValues: count })),
      leftOut: count,
      changes: list(fields({ id: text })),
      nights: list(fields(night)),
      runCount: count,
      isDefined: yesOrNo,
    }),
  },
  home: {
    summary: 'What the first page shows, but for its values',
    answer: fields({
      project: text,
      isDefined: yesOrNo,
      nights: list(
        fields({ id: text, startedAt: timestamp, experiments: counts, subsystems: counts, missing: count }),
      ),
      runCount: count,
      experiments: list(
        fields({ name: text, state: text, runId: text, failedAt: list(count), moreValues: count }),
      ),
      leftOut: count,
      rows: list(
        fields({
          ...{ experiment: count, id: count, path: list(text), unit: text, better: text },
          'betterFrom?': described('declared, format or inferred', text),
        }),
      ),
      changeCount: count,
      absenceCount: count,
      plans: fields({
        'nextNight?': fields({ at: timestamp }),
        deadlines: list(fields({ name: text, at: timestamp })),
      }),
    }),
  },
  homeTable: { summary: 'The values of the first page as a table', answer: CSV },
  homeValues: {
    summary: 'Newest values, changes and sparklines of a hundred rows of the first page; pages from 0',
    answer: fields({
      values: list(
        fields({ id: count, spark: list({ anyOf: [number, { type: 'null' }] }), 'value?': number }),
      ),
    }),
  },
  experiment: {
    summary: 'One experiment: its state, its open changes, summary, graphs and recent runs',
    answer: fields({
      project: text,
      name: text,
      changes: list(fields({ id: text })),
      recent: list(fields({ runId: text, label: text, at: timestamp, state: text })),
    }),
  },
  history: {
    summary: 'Histories of the values of an experiment, judged, as columns; thinned where they are long',
    query: {
      first: 'index of the first series: there are 12 on a page',
      search: 'words that must occur in the path',
      details: '1: with spreads and counts',
      order: 'name: by name; otherwise those with open changes first',
      from: 'only runs from this time on, in milliseconds since 1970',
      to: 'only runs until this time',
    },
    answer: fields({
      runs: mapOf(anything),
      series: list(fields({ path: list(text), unit: text, places: list(count), count })),
      first: count,
      perPage: count,
      matching: count,
      count,
      details: count,
      hasMore: yesOrNo,
    }),
  },
  historyTable: { summary: 'The same as a table: a row for each run and value', answer: CSV },
  telemetry: {
    summary: 'What the machine did while a run went on, with time ranges in which it was disturbed',
    query: { experiment: 'only while this one ran' },
    answer: anything,
  },
  runs: {
    summary: 'Runs, newest first',
    query: {
      limit: `how many: ${RUNS_LISTED.usual}, at most ${RUNS_LISTED.most}`,
      before: 'only those that began before this time; "nextBefore" of the page before',
      ...runFilter,
    },
    answer: fields({
      runs: list(
        fields({
          ...night,
          'machine?': text,
          commits: mapOf(list(text)),
          failed: described('names of tasks that failed, the first ones', list(text)),
          tasks: described('names of tasks, the first ones', list(text)),
        }),
      ),
      count,
      'nextBefore?': timestamp,
    }),
  },
  runTable: { summary: 'The same as a table: a row for each run', query: runFilter, answer: CSV },
  stageTable: { summary: 'The stages of a run as a table', answer: CSV },
  runFiles: {
    summary: 'The files that a run left in the home, with their sizes',
    answer: fields({
      files: list(
        fields({
          type: { enum: ['data', 'graph', 'samples', 'telemetry', 'log'] },
          kind: { enum: ['experiment', 'subsystem'] },
          task: text,
          name: text,
          size: count,
        }),
      ),
      leftOut: count,
      'rawArchive?': text,
    }),
  },
  samples: {
    summary: 'The samples that an experiment of a run measured',
    answer: { media: ['application/json; charset=utf-8'] },
  },
  run: {
    summary: 'One run: its tasks and stages, its machine, and what is needed to repeat it',
    answer: fields({
      ...night,
      tasks: list(
        fields({
          trial,
          stages: list(stage),
          'atWork?': fields({ startedAt: timestamp, 'stage?': text }),
          'points?': fields({ done: count, failedCount: count }),
        }),
      ),
      'machine?': fields({ id: text, name: text, facts: mapOf(anything) }),
      resumedAt: list(timestamp),
      'sinceBefore?': fields({
        run: fields({ id: text, label: text }),
        facts: list(fields({ group: text, name: text })),
        unchanged: count,
        added: list(text),
        removed: list(text),
      }),
      commands: list(fields({ start: text, rest: text, purpose: text })),
      home: described('stands between start and rest of a command', text),
      'lastSignAt?': timestamp,
    }),
  },
  log: {
    summary: 'What a stage printed: its ends, what follows a byte of it, or the whole file',
    query: {
      whole: '1: the file itself, as text',
      after: 'a byte: what follows it ("text", to the byte "next"), for readers that follow a log',
    },
    answer: fields({
      isRunning: described('more may come', yesOrNo),
      next: described('the byte to request from', count),
      'run?': run,
      'task?': text,
      'stage?': text,
      'result?': stage,
      'ends?': fields({ head: text, tail: text, size: count, leftOutBytes: count }),
      'text?': text,
    }),
  },
  changes: {
    summary: 'Detected changes, with their reviews',
    query: { open: '1: only open ones', page: 'from 1' },
    answer: fields({
      changes: list(fields({ id: text, direction: described('better, worse or unknown', text) })),
      openRegressions: count,
      page: count,
      pages: count,
    }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;

/** Documents about learning curves, machines and the server itself. */
export const OTHER_DOCS = {
  curves: { summary: 'Tasks and algorithms that have learning curves', answer: mapOf(anything) },
  curveData: {
    summary: 'Curves of one task on a common axis, with bands over seeds',
    query: {
      task: 'name of the task',
      x: 'column of the axis',
      y: 'column of the values',
      points: 'how many places the axis has',
      seeds: '1: with the curve of every seed',
    },
    answer: mapOf(anything),
  },
  scores: { summary: 'Final, best and mean performance of each algorithm', answer: { media: ['text/csv'] } },
  machines: { summary: 'Machines with their noise, and when they were seen', answer: mapOf(anything) },
  machineTable: { summary: 'The same as a table', answer: { media: ['text/csv; charset=utf-8'] } },
  machine: {
    summary: 'One machine: its facts and when they changed, its noise over time',
    answer: mapOf(anything),
  },
  machineTelemetry: {
    summary: 'What a machine did during one of its runs',
    query: { run: 'id of the run; the newest if left out' },
    answer: mapOf(anything),
  },
  server: { summary: 'The state of the server itself', answer: mapOf(anything) },
  extent: { summary: 'From when until when there are points of these series', answer: mapOf(anything) },
} as const satisfies Readonly<Record<string, RouteDescription>>;
