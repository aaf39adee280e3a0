import type { Command as Parser } from 'commander';
import { declarePlace } from '../../executors/cli/place-options.ts';
import { MEASURES } from '../../executors/core/measures.ts';
import { flag, type Options, textOption } from '../../platform/cli/command.ts';
import {
  invalid,
  kebab,
  oneOf,
  optional,
  readLevel,
  readPercent,
  wholeNumber,
} from '../../platform/cli/option-values.ts';
import { DURATION, LONGEST_TIMEOUT_MS, parseDuration } from '../../platform/config/durations-and-sizes.ts';
import type { TimedCommand } from '../core/command-timer.ts';
import type { Gate, PairMode } from '../core/comparison.ts';
import type { DecidingMeasure } from '../core/judge-measures.ts';
import type { PairCount } from '../core/pair-plan.ts';
import { type Parameter, parseList, parseScan } from './compare-parameters.ts';

/** The options of one comparison, understood. */
export interface CompareSettings extends Gate {
  readonly names: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Absent: together where there are cores for it. */
  readonly mode?: PairMode;
  readonly count: PairCount;
  readonly warmup: number;
  readonly stop: 'when-decided' | 'never';
  readonly level: number;
  readonly minEffect: number;
  readonly measure: DecidingMeasure;
  readonly hasCounters: boolean;
  readonly seed?: number;
  readonly timeoutMs?: number;
  readonly output: TimedCommand['output'];
  readonly shell?: string;
  readonly setup: readonly string[];
  readonly prepare: readonly string[];
  readonly cleanup: readonly string[];
  readonly isPinned: boolean;
  readonly ignoreFailure: boolean;
}

export function readCompareOptions(options: Options): CompareSettings {
  const mode = readMode(options);
  const stop = oneOf(options, 'stop', ['never', 'when-decided'] as const);
  if (stop === 'when-decided' && mode === 'one-after-another') {
    throw invalid(
      '--stop when-decided needs pairs, and --one-after-another has none.',
      'Leave out one of the two.',
    );
  }
  const seed = optional(options, 'seed', wholeNumber(0, 2 ** 32 - 1));
  const timeoutMs = optional(options, 'timeout', readTimeout);
  const shell = flag(options, 'N') ? 'none' : textOption(options, 'shell');
  return {
    names: perSide(options, 'commandName'),
    parameters: readParameters(options),
    ...(mode && { mode }),
    count: readCount(options, stop),
    warmup: wholeNumber(0, 1e6)(textOption(options, 'warmup') ?? '1', 'warmup'),
    stop,
    level: readLevel(textOption(options, 'level') ?? '95%'),
    minEffect: readPercent(textOption(options, 'minEffect') ?? '1%', 'min-effect'),
    allow: readPercent(textOption(options, 'allow') ?? '0%', 'allow'),
    orLikely: flag(options, 'orLikely'),
    measure: oneOf(options, 'measure', ['auto', ...MEASURES]),
    hasCounters: flag(options, 'counters'),
    ...(seed !== undefined && { seed }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    output: oneOf(options, 'output', ['errors', 'null', 'tail'] as const),
    ...(shell !== undefined && { shell }),
    setup: perSide(options, 'setup'),
    prepare: perSide(options, 'prepare'),
    cleanup: perSide(options, 'cleanup'),
    isPinned: flag(options, 'pin'),
    ignoreFailure: flag(options, 'ignoreFailure'),
  };
}

function readMode(options: Options): PairMode | undefined {
  const chosen = [
    ...(flag(options, 'together') ? (['together'] as const) : []),
    ...(flag(options, 'alternate') ? (['alternate'] as const) : []),
    ...(flag(options, 'oneAfterAnother') ? (['one-after-another'] as const) : []),
  ];
  if (chosen.length <= 1) return chosen[0];
  throw invalid(`${chosen.map((mode) => `--${mode}`).join(' and ')} exclude each other.`, 'Choose one.');
}

/** At least ten pairs, and as many as fit into three seconds a side; more where it may end early. */
function readCount(options: Options, stop: CompareSettings['stop']): PairCount {
  const count = wholeNumber(1, 1e6);
  const runs = optional(options, 'runs', count);
  const [least, most] = [optional(options, 'minRuns', count), optional(options, 'maxRuns', count)];
  if (runs !== undefined) {
    if (least === undefined && most === undefined) return { type: 'exact', pairs: runs };
    throw invalid(
      '--runs fixes the number of pairs; --min-runs and --max-runs leave it open.',
      'Choose one way.',
    );
  }
  const usual = stop === 'never' ? { least: 10, seconds: 3 } : { least: 40, seconds: 12 };
  const range = {
    least: least ?? Math.min(usual.least, most ?? usual.least),
    most: most ?? Math.max(1000, least ?? 0),
  };
  if (range.least > range.most) {
    throw invalid(`--min-runs ${range.least} is more than --max-runs ${range.most}.`, 'Swap them.');
  }
  return { type: 'timed', ...range, seconds: usual.seconds };
}

function readParameters(options: Options): readonly Parameter[] {
  const step = textOption(options, 'parameterStepSize');
  const scans = list(options, 'parameterScan');
  if (step !== undefined && scans.length === 0) {
    throw invalid(
      '--parameter-step-size is the step of --parameter-scan, which is missing.',
      'For example: -P size 100 500 -D 100',
    );
  }
  return [...list(options, 'parameterList').map(parseList), ...scans.map((text) => parseScan(text, step))];
}

function readTimeout(text: string): number {
  // A bare number is what timeouts are in seconds elsewhere.
  const ms = parseDuration(/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
  if (ms !== undefined && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw invalid(`--timeout "${text}" is not ${DURATION}.`, 'For example: --timeout 10s');
}

/** Once for both sides, or once for each. */
function perSide(options: Options, name: string): readonly string[] {
  const values = list(options, name);
  if (values.length <= 2) return values;
  throw invalid(
    `--${kebab(name)} is given ${values.length} times, but there are two sides.`,
    'Give it once or twice.',
  );
}

function list(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** The options of `nightmark duet "A" "B"`: hyperfine's where it has them, then ours. */
export function configureCompare(parser: Parser): void {
  parser
    .argument('[commands...]', 'two commands, each in quotes; one alone is compared with itself')
    .option('-r, --runs <n>', 'exactly this many pairs')
    .option('-m, --min-runs <n>', 'at least this many pairs (10)')
    .option('-M, --max-runs <n>', 'at most this many pairs (1000)')
    .option('-w, --warmup <n>', 'pairs before the measured ones', '1')
    .option('-s, --setup <command>', 'run once before the first pair; twice: one for each side', collect)
    .option(
      '-p, --prepare <command>',
      'run before each pair, not measured; twice: one for each side',
      collect,
    )
    .option('-c, --cleanup <command>', 'run once after the last pair; twice: one for each side', collect)
    .option('-L, --parameter-list <name> <values>', '{name} stands for each of a,b,c in turn', collect)
    .option('-P, --parameter-scan <name> <min> <max>', '{name} stands for each number in turn', collect)
    .option('-D, --parameter-step-size <step>', 'step of --parameter-scan (1)')
    .option(
      '-S, --shell <shell>',
      'the shell of the commands; none: no shell; default: sh where a command needs one',
    )
    .option('-N', 'the same as --shell=none')
    .option('-n, --command-name <name>', 'name of a side; twice for both', collect)
    .option('-i, --ignore-failure', 'count runs that fail; leave out pairs that run into the timeout')
    .option(
      '--output <kind>',
      'what is kept of the output to explain failures: errors, null or tail',
      'errors',
    )
    .option('--together', 'both sides at once (the default with two cores or more)')
    .option('--alternate', 'one at a time: A B B A')
    .option('--one-after-another', 'all of A, then all of B: drift of the machine looks like a difference')
    .option('--pin', 'each side on its own half of the cores, swapped from pair to pair')
    .option(
      '--min-effect <percent>',
      'smallest difference of interest: less is the same, surely more an alarm (1%)',
    )
    .option('--level <percent>', 'level of the interval', '95%')
    .option(
      '--measure <name>',
      'what decides: wall, cpu, instructions, cycles or cache-misses; auto: wall, and cpu where wall is undecided and the commands only compute (auto)',
    )
    .option(
      '--counters',
      'also compare instructions, cycles and cache misses, by further pairs under perf stat',
    )
    .option('--stop <when>', 'never, or when-decided: analyse at most four times and end early', 'never')
    .option('--timeout <duration>', 'ends both sides of a pair that takes longer')
    .option('--seed <number>', 'seed of the order of starts')
    .option('--allow <percent>', 'how much slower B may be without exit code 3 (0%)')
    .option('--or-likely', 'exit code 3 also when B is only likely slower by more than that')
    .option('--no-fail', 'exit code 0 also when B is slower')
    .option('--export-json <file>', "in hyperfine's format, with the verdict added")
    .option('--export-csv <file>', "hyperfine's columns and ours")
    .option('--export-markdown <file>', 'a table')
    .option('--against <ref>', 'compare the working tree with its merge base with this branch, tag or commit')
    .option('--base <which>', 'with --against: merge-base, or ref for the revision itself (merge-base)')
    .option('--build <command>', 'with --against: builds each version before it is measured')
    .option('--rebuild', 'with --against: build again what is already built')
    .option('--summary <file>', 'with --against: a Markdown page for a pull request; -: stdout')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 error, 2 nothing to compare, 3 B is surely slower by more than --min-effect and --allow, 130 interrupted.\nFor example: nightmark duet "sort -n big.txt" "sort -g big.txt"\n         or: nightmark duet --against main --build make -- ./bench --all\n         or: nightmark duet "./a" "./b" --executor slurm --cpus 4 --sbatch=--exclusive',
    );
  declarePlace(parser);
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
