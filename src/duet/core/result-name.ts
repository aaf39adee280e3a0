import type { Side } from '../../git/core/version-pairs.ts';
import { baseName } from '../../platform/core/path.ts';
import type { DuetRunType, PlannedRun, ResultName } from './duet.ts';

/** What the plan does not say about a result. */
interface ResultOrigin {
  readonly suite: string;
  /** Where the result was fetched from; its last part ends the name. */
  readonly path: string;
}

/** The name under which a result of a planned run is kept: dacapo.fop.0.duet.AB.A.results.csv. */
export function resultName(run: PlannedRun, pair: Side, { suite, path }: ResultOrigin): string {
  const { benchmark, runid, type } = run;
  const order = run.type === 'seqn' ? 'None' : run.order;
  return formatResultName({ suite, benchmark, runid, type, order, pair, file: baseName(path) });
}

export function formatResultName({ suite, benchmark, runid, type, order, pair, file }: ResultName): string {
  return [withoutDots(suite), withoutDots(benchmark), runid, type, order, pair, file].join('.');
}

/** Dots separate the parts of a name: in suites and benchmarks they become "_". */
export function withoutDots(name: string): string {
  return name.replaceAll('.', '_');
}

export interface ParseOptions {
  /** Also the spellings of older versions; otherwise exactly what the original reads back. */
  readonly lenient?: boolean;
  /** The suite of a benchmark, for the oldest names, which do not say it. */
  readonly suiteOf?: (benchmark: string) => string | undefined;
}

/**
 * What the name of a file or folder of results says; undefined when invalid. Lenient reading knows also:
 * `sequential` for seqn; any characters but dots in suite and benchmark; the order before the type, as the original's
 * documentation has it; names without type and order, and without a suite (then it is empty unless `suiteOf` knows it).
 */
export function parseResultName(path: string, options: ParseOptions = {}): ResultName | undefined {
  const groups = (options.lenient ? LENIENT : STRICT).exec(baseName(path))?.groups;
  if (!groups) return undefined;
  const { suite = '', benchmark = '', type = groups['lateType'], order = groups['earlyOrder'] } = groups;
  const runid = Number(groups['runid']);
  if (!Number.isSafeInteger(runid)) return undefined;
  return {
    suite: suite === '' ? (options.suiteOf?.(benchmark) ?? '') : suite,
    benchmark,
    runid,
    type: toType(type),
    order: (order ?? 'None') as ResultName['order'], // the pattern allows these only, as for the pair
    pair: groups['pair'] as Side,
    file: groups['file'] ?? '',
  };
}

// The original's pattern is anchored at the start only; what follows the pair may be anything, also nothing.
const STRICT =
  /^(?<suite>[\w-]+)\.(?<benchmark>[\w-]+)\.(?<runid>\d+)\.(?<type>duet|syncduet|seqn)\.(?<order>AB|BA|None)\.(?<pair>[AB])\.(?<file>.*)/s;

const TYPE = 'duet|syncduet|seqn|sequential';
const ORDER = 'AB|BA|None';
const LENIENT = new RegExp(
  String.raw`^(?:(?<suite>[^.]+)\.)?(?<benchmark>[^.]+)\.(?<runid>\d+)\.` +
    String.raw`(?:(?<type>${TYPE})\.(?<order>${ORDER})\.|(?:(?<earlyOrder>${ORDER})\.)?(?:(?<lateType>${TYPE})\.)?)` +
    String.raw`(?<pair>[AB])\.(?<file>.*)`,
  's',
);

function toType(spelling: string | undefined): DuetRunType {
  if (spelling === 'sequential') return 'seqn';
  return (spelling ?? 'duet') as DuetRunType; // the pattern allows these only; the oldest names are of duets
}
