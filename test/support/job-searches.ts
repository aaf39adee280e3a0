import type { JobSpec } from '../../src/jobs/core/job.ts';
import type { JobReport } from '../../src/jobs/core/job-queue.ts';
import { jobId, jobSpec } from './job-specs.ts';

const ODD_VALUES = [
  ...[
    0,
    1,
    -2.5,
    1e21,
    0.1,
    7,
    '7',
    ' 7 ',
    '',
    'seven',
    'a"b',
    'a\\b',
    'grüße',
    '\u{1F600}',
    'null',
    true,
    false,
    null,
  ],
  ...[[1, 'seven', null], [], { seven: 7 }, {}, ['x', { y: [0, 7] }]],
  // What databases may read otherwise than a search does.
  ...[
    '\u00a07',
    '7e0',
    '.7e1',
    1e-320,
    '{"seven":7}',
    '[7]',
    'true',
    [true],
    { z: 1, a: 1e21 },
    9007199254740992,
    1.7e308,
    -5e-324,
  ],
];
const KEYS = [
  'p',
  'q',
  'status',
  'a.b',
  'lost',
  'ü',
  'a b',
  "it's",
  'x$1',
  '__proto__',
  'metric',
  'config',
  '10',
];

/** Jobs with values of all kinds below keys of all kinds; some keys hide a field. */
export const SEARCHED_JOBS: readonly JobSpec[] = Array.from({ length: 48 }, (_, n) =>
  jobSpec(n, {
    user: ['ann', 'bob', '7'][n % 3] ?? '',
    experiment: n % 5 === 0 ? 'seven' : 'other',
    ...(n % 4 === 0 && { sweep: `s${n % 8}` }),
    ...(n % 2 === 0 && { program: { type: 'script', path: `run-${n % 6}.py` } }),
    ...(n % 3 === 0 && { git: gitOf(n) }),
    priority: n % 4,
    overrides: Object.fromEntries([
      ['n', n],
      ...KEYS.filter((_, at) => (n + at) % (at < 2 ? 5 : 7) > 1).map(
        (key, at) => [key, ODD_VALUES[(n * 5 + at * 3) % ODD_VALUES.length] ?? null] as const,
      ),
      ['a', { b: n % 3, 'c.d': [n % 4, { e: 'seven' }] }],
    ]),
  }),
);

/** What the job of this number says of itself. */
export function newsOf(n: number): JobReport {
  return {
    info: { 'state.progress': n / 12, phase: n % 2 ? 'train' : { name: 'test', 'x.y': n } },
    environment: { python: `3.${n}`, gpu: { count: n % 3 } },
    metrics: [
      metricOf(n, 'loss', { value: { count: 3, last: n / 10, min: 0, max: n } }),
      metricOf(n, 'loss', { value: { count: 3, last: n % 5, min: -1, max: n } }),
      metricOf(n, 'val/acc', { top1: { count: 1, last: n % 2 ? 'nan' : 0.5 } }),
      metricOf(n, 'loss.min', n % 2 ? { value: { count: 1, last: 100 } } : {}),
    ].slice(0, n % 5),
  };
}

const NAMES = [
  ...[
    'p',
    'q',
    'status',
    'a.b',
    'a.c.d[0]',
    'a.c.d[1].e',
    'lost',
    'ü',
    'config["a b"]',
    'config["it\'s"]',
    'config.x$1',
  ],
  ...[
    'config.__proto__',
    'metric',
    'config.p',
    'config["10"]',
    'user',
    'name',
    'experiment',
    'executor',
    'priority',
  ],
  ...[
    'id',
    'sweep',
    'script',
    'command',
    'commit',
    'branch',
    'host',
    'reason',
    'exception',
    'progress',
    'starred',
    'bug',
  ],
  ...[
    'created',
    'started',
    'ended',
    'duration',
    'waited',
    'state.phase',
    'state.phase.name',
    'state.phase.x.y',
  ],
  ...[
    'annotations.star',
    'annotations.review.by',
    'annotations.review.a.b[0]',
    'environment.python',
    'environment.gpu.count',
  ],
  ...[
    'metric.loss',
    'metric.loss.min',
    'metric.loss.max',
    'metric["val/acc"]',
    'metric["val/acc"].last',
    'nothing',
    'nothing.at.all',
  ],
];
const CONDITIONS = [
  ...[
    '> 0.5',
    '<= 1',
    '< 7',
    '>= 1',
    '== 7',
    '!= 7',
    "== '7'",
    "!= 'seven'",
    "== 'seven'",
    "== 'FAILED'",
    "!= 'FAILED'",
  ],
  ...[
    "== ''",
    '== null',
    '!= null',
    '== true',
    '!= false',
    "~ 'even'",
    "!~ 'even'",
    "~ '^s.v+en?$'",
    "~ 'null'",
    "~ '^[0-9.]+$'",
  ],
  ...[
    "in [7, 'seven', true]",
    "in ['seven', 'FAILED', 'ann']",
    "< 'b'",
    "== 'a\"b'",
    "== 'a\\\\b'",
    "== 'grüße'",
    '> -1e400',
  ],
  ...['< 1800000001', '== 0.1', '+ 1 > 2', '* n >= 3', '% 2 == 1', '/ 0 > 1', '- 0.1 == 0', "> '0'"],
];

/** All of them take long; one of these is asked for by the tests, the others by changing the number. */
const ONE_OF = 13;

const ALONE = NAMES.flatMap((name, at) => [
  name,
  `not ${name}`,
  ...CONDITIONS.filter((_, of) => (at + of) % 2 === 0).map((condition) => `${name} ${condition}`),
  ...CONDITIONS.filter((_, of) => (at + of) % 2 === 1).map((condition) => `not (${name} ${condition})`),
  ...['includes', 'startsWith', 'endsWith'].map((method) => `${name}.${method}('seven')`),
  `7 == ${name} or 1 < ${name}`,
  `not (n > 40 or ${name} == 'seven') and n < 44`,
]);

/** Names with conditions, denied and not, and some that are put together. */
export const SEARCHES: readonly string[] = [
  ...ALONE.filter((_, at) => at % ONE_OF === 0),
  "p == 7 and (q == 'seven' or not status == 'FAILED')",
  'not (not (p > 0.05) and not (q < 8))',
  "p == q or status ~ 'FAIL' and user != 'bob'",
  'p + q > n or n % 5 == 2 and loss == 1',
  "p in [q, 7] or p.includes('sev')",
  'p * 2 + q - 0.5 > n - 3',
  'not (p + n * 10 - q * 10 >= 1e307)',
  'p * q * 1e99 == 0 or p - q == n - 7',
  'n * a.b <= p + lost and not (0.1 + p == q * -2)',
  'p in [7, 1, -2.5] and not (n in [3, 4, 5])',
  'a.b.c.d.e.f.g.h.i.j == 1 or n == 3',
  Array.from({ length: 60 }, (_, n) => `k${n} == ${n} or n == ${n * 2}`).join(' or '),
  Array.from({ length: 700 }, (_, n) => `n==${n * 3}`).join(' or '),
];

const VALUES = [
  ...[
    '7',
    '0',
    '1',
    '-2.5',
    '0.1',
    '1e-320',
    "'7'",
    "'seven'",
    "''",
    "'true'",
    "'[7]'",
    'true',
    'false',
    'null',
    "'FAILED'",
  ],
];
const PATTERNS = ['even', '^s.v+en?$', 'null', '7', '^[0-9.]+$', 'a.*b', 'z.*1e', 'rain|est', 'run-[0-9]'];

/** Expressions of any form, the same ones for the same random numbers. */
export function randomSearches(count: number, random: () => number): readonly string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const term = (depth: number): string => {
    if (depth > 0 && random() < 0.2)
      return `(${term(depth - 1)} ${pick(['+', '-', '*', '/', '%'])} ${term(depth - 1)})`;
    return random() < 0.6 ? pick(NAMES) : pick(VALUES);
  };
  const condition = (depth: number): string => {
    const form = Math.floor(random() * 10);
    if (depth > 0 && form < 2)
      return `(${condition(depth - 1)} ${pick(['and', 'or'])} ${condition(depth - 1)})`;
    if (depth > 0 && form < 4) return `not (${condition(depth - 1)})`;
    if (form < 7) return `${term(2)} ${pick(['==', '!=', '<', '<=', '>', '>='])} ${term(1)}`;
    if (form === 7) return `${pick(NAMES)} ${pick(['~', '!~'])} '${pick(PATTERNS)}'`;
    if (form === 8) return `${pick(NAMES)} ${pick(['in', 'not in'])} [${term(0)}, ${pick(VALUES)}]`;
    return random() < 0.5
      ? pick(NAMES)
      : `${pick(NAMES)}.${pick(['includes', 'startsWith', 'endsWith'])}(${pick(VALUES)})`;
  };
  return Array.from({ length: count }, () => condition(3));
}

function metricOf(
  n: number,
  measurement: string,
  fields: NonNullable<JobReport['metrics']>[number]['fields'],
) {
  return {
    id: `${measurement}${Object.keys(fields)}${n}${JSON.stringify(fields).length}`,
    measurement,
    tags: {},
    fields,
  };
}

function gitOf(n: number): NonNullable<JobSpec['git']> {
  return {
    commit: jobId(n).slice(0, 12),
    ...(n % 2 === 0 && { branch: 'seven' }),
    ...{ authorName: 'Ann', authorEmail: 'a@b', message: 'm', isDirty: false },
  };
}
