import { whyInvalidName } from '../../platform/core/path.ts';

/** Formats of any tool: what their files hold is known from the file alone. */
const GENERIC: ReadonlySet<string> = new Set(['json', 'csv', 'ndjson']);

/**
 * The experiment that results become: the suite that they name, else the format of their tool; of a generic format the name
 * of the file, or of its folder where the file is called "results", "17" or after a day. Files of two tools are two experiments.
 */
export function experimentName(
  { suite, format }: { readonly suite: string | undefined; readonly format: string },
  path: string,
): string {
  if (suite !== undefined || !GENERIC.has(format)) return nameFor(suite ?? format);
  const [file = '', ...folders] = path.split('/').toReversed();
  const stem = file.replace(/\.(?:json|jsonl|ndjson|csv|tsv|txt)$/i, '');
  const name = [stem, ...folders].map(lasting).find((one) => one !== '');
  return nameFor(name ?? format);
}

/** A name without what changes from run to run; empty where nothing else is in it. */
function lasting(name: string): string {
  const kept = name
    .replace(DAY, '')
    .replace(/(?<![0-9a-z])[0-9a-f]{40}(?![0-9a-z])/gi, '')
    .replace(/^[-_. ]+|[-_. ]+$/g, '');
  const words = kept.toLowerCase().split(/[-_. ]+/);
  return words.every((word) => /^\d*$/.test(word) || SAYS_NOTHING.has(word)) ? '' : kept;
}

/** 2026-01-05, 20260105, 20260105T0307, 2026-01-05_03-07-00. */
const DAY =
  /(?<!\d)(?:19|20)\d{2}[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_T. ]?[0-2]\d[-_.:h]?[0-5]\d(?:[-_.:m]?[0-5]\d)?Z?)?(?!\d)/g;

/** A number alone says nothing, but "sort-1000" and "sort-10000" are two things. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  ...[
    'result',
    'results',
    'output',
    'out',
    'summary',
    'report',
    'data',
    'values',
    'stats',
    'export',
    'metrics',
  ],
  ...['run', 'runs', 'night', 'nights', 'nightly', 'day', 'build', 'job', 'new', 'latest', 'current', 'last'],
  ...['json', 'csv', 'tmp', 'home', 'bench', 'benchmark', 'benchmarks', ''],
]);

/** A suite may be called what no folder can be called. */
function nameFor(suite: string): string {
  const name = suite.replace(/[/\0]/g, '-').trim();
  return whyInvalidName(name) === undefined && name.length <= MAX_NAME
    ? name
    : `suite-${name.slice(0, MAX_NAME)}`;
}

const MAX_NAME = 100;
