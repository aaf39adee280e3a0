import type { Side } from '../../git/core/version-pairs.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { DuetBenchmark, DuetSide } from '../core/duet.ts';
import { type Block, inherit, missingKey, readBlock } from './duet-block.ts';

interface DuetReading {
  /** Absent where there is no such block at all. */
  readonly benchmark?: DuetBenchmark;
  readonly problems: readonly Problem[];
}

interface DuetPlace {
  readonly definition: Definition;
  readonly file: JsonObject;
  /** The blocks of the file but for duetbench. */
  readonly known: readonly string[];
  readonly duetbench: Block;
  /** Of its name in `duets`. */
  readonly index: number;
}

/** One entry of `duets` with its block. */
export function readDuet(name: string, place: DuetPlace): DuetReading {
  const { definition, file, duetbench } = place;
  if (!Object.hasOwn(file, name)) return { problems: [noBlock(name, place)] };
  const raw = file[name];
  if (!isJsonObject(raw)) return { problems: [noMapping([name], raw, definition)] };
  const duet = readBlock('duet', raw, { definition, path: [name] });
  const { sides, problems } = readSides(duet, place);
  const blocks = [duet, duetbench];
  const suite = inherit('suite', blocks);
  const timeoutMs = inherit('timeout', blocks).value ?? 0;
  const benchmark: DuetBenchmark = {
    name,
    suite: suite.value ?? '',
    type: Object.hasOwn(raw, 'B') ? 'A-B' : 'A-A',
    removeContainers: inherit('remove_containers', blocks).value ?? true,
    duetRepetitions: inherit('duet_repetitions', blocks).value ?? 1,
    syncduetRepetitions: inherit('syncduet_repetitions', blocks).value ?? 0,
    sequentialRepetitions: inherit('sequential_repetitions', blocks).value ?? 0,
    order: orderOf(blocks),
    ...(timeoutMs > 0 ? { timeoutMs } : {}),
    sides,
  };
  const missing = suite.isMissing
    ? [
        missingKey('suite', duet, {
          found: suite.path,
          hint: 'It says how results are read: renaissance, dacapo, scalabench, speccpu, or a name of your own.',
        }),
      ]
    : [];
  return {
    benchmark,
    problems: [...duet.problems, ...missing, ...problems, ...checkRuns(benchmark, [duet, duetbench])],
  };
}

/** Each missing block is compared with each that is there. */
const MAX_COMPARED = 200;

function noBlock(name: string, { definition, known, index }: DuetPlace): Problem {
  const close = known.length > MAX_COMPARED ? undefined : nearest(name, known);
  const hint =
    close === undefined ? `Add a block "${name}:" with A, at the top level.` : `Did you mean "${close}"?`;
  return problemAt(
    definition,
    ['duetbench', 'duets', index],
    `duetbench.duets: there is no block ${JSON.stringify(name)} in the file`,
    { hint },
  );
}

function noMapping(
  path: readonly string[],
  found: JsonObject[string] | undefined,
  definition: Definition,
): Problem {
  const message = `${dotted(path)}: expected a mapping of keys to values, found ${describeValue(found)}`;
  return problemAt(definition, path, message);
}

const NO_SIDE: DuetSide = { results: [], command: '' };

function readSides(
  duet: Block,
  { duetbench }: DuetPlace,
): { readonly sides: Readonly<Record<Side, DuetSide>>; readonly problems: readonly Problem[] } {
  const a = readOneSide('A', duet, duetbench);
  const b = Object.hasOwn(duet.raw, 'B') ? readOneSide('B', duet, duetbench) : { side: a.side, problems: [] };
  return { sides: { A: a.side, B: b.side }, problems: [...a.problems, ...b.problems] };
}

function readOneSide(name: Side, duet: Block, duetbench: Block): SideReading {
  const { definition } = duet;
  const path = [...duet.path, name];
  if (!Object.hasOwn(duet.raw, name)) {
    const message = `${dotted(duet.path)}: ${name} is missing`;
    const hint = 'A is the baseline: A: { run: command }. Without B both sides are A.';
    return { side: NO_SIDE, problems: [problemAt(definition, duet.path, message, { hint, part: 'key' })] };
  }
  const raw = duet.raw[name];
  if (!isJsonObject(raw)) return { side: NO_SIDE, problems: [noMapping(path, raw, definition)] };
  const own = readBlock('side', raw, { definition, path });
  const { side, problems } = readSide([own, duet, duetbench]);
  return { side, problems: [...own.problems, ...problems] };
}

/** At each level `order`, or its alias. */
function orderOf(blocks: readonly Block[]): DuetBenchmark['order'] {
  const hasOne = ({ raw }: Block) => Object.hasOwn(raw, 'order') || Object.hasOwn(raw, 'duet_order');
  const block = blocks.find(hasOne);
  if (!block) return 'random';
  return inherit('order', [block]).value ?? inherit('duet_order', [block]).value ?? 'random';
}

interface SideReading {
  readonly side: DuetSide;
  readonly problems: readonly Problem[];
}

/** One side out of its own block, that of its duet, and duetbench. */
function readSide(blocks: readonly [Block, Block, Block]): SideReading {
  const [own] = blocks;
  const image = inherit('image', blocks).value;
  const results = inherit('results', blocks);
  const base = inherit('run_base', blocks).value ?? '';
  const syncBase = inherit('syncduet_run_base', blocks).value ?? '';
  const run = typeof own.values['run'] === 'string' ? own.values['run'] : '';
  const missing = results.isMissing
    ? [
        missingKey('results', own, {
          found: results.path,
          hint: 'List the files that the command writes, e.g. results: [results.csv].',
        }),
      ]
    : [];
  return {
    side: {
      ...(image === undefined ? {} : { image }),
      results: results.value ?? [],
      command: `${base} ${run}`,
      ...(syncBase === '' ? {} : { syncCommand: `${syncBase} ${run}` }),
    },
    problems: [
      ...missing,
      ...checkResults(results.value ?? [], { definition: own.definition, path: results.path ?? [], image }),
    ],
  };
}

const SIDES = ['A', 'B'] as const;

/** Contradictions and likely mistakes in the numbers of runs. */
function checkRuns(benchmark: DuetBenchmark, blocks: readonly [Block, Block]): readonly Problem[] {
  const { duetRepetitions, syncduetRepetitions, sequentialRepetitions } = benchmark;
  const isEmpty = duetRepetitions + syncduetRepetitions + sequentialRepetitions === 0;
  return [
    ...(syncduetRepetitions > 0
      ? [...noSyncCommand(benchmark, blocks), ...noBarrier(benchmark, blocks)]
      : []),
    ...(isEmpty ? [warning(blocks[0], 'has no runs: all its repetitions are 0')] : []),
  ];
}

function noSyncCommand(
  { name, sides, ...rest }: DuetBenchmark,
  blocks: readonly [Block, Block],
): readonly Problem[] {
  const mute = SIDES.filter((side) => sides[side].syncCommand === undefined);
  if (mute.length === 0) return [];
  const [{ definition }] = blocks;
  const { path = [name] } = inherit('syncduet_repetitions', blocks);
  const message = `${dotted(path)} is ${rest.syncduetRepetitions}, but ${name} has no syncduet_run_base for ${mute.join(' and ')}`;
  const hint =
    'Say how synchronised runs are started, with $$ for the barrier, or set syncduet_repetitions: 0.';
  return [problemAt(definition, path, message, { hint })];
}

/** A synchronised command that does not know its barrier runs unsynchronised without notice. */
function noBarrier({ sides }: DuetBenchmark, [duet]: readonly [Block, Block]): readonly Problem[] {
  const loose = SIDES.filter((side) => {
    const { image, syncCommand } = sides[side];
    return image !== undefined && syncCommand !== undefined && !/\$\$|NIGHTMARK_BARRIER/.test(syncCommand);
  });
  if (loose.length === 0) return [];
  const what = `the synchronised command of ${loose.join(' and ')} has no $$: it may not wait at the barrier`;
  return [warning(duet, what)];
}

function warning({ definition, path }: Block, what: string): Problem {
  const problem = problemAt(definition, path, `${dotted(path)}: ${what}`, { part: 'key' });
  return { ...problem, severity: 'warning' };
}

interface ResultsPlace {
  readonly definition: Definition;
  /** Of the list. */
  readonly path: readonly PropertyKey[];
  /** Of the side that the results are of. */
  readonly image: string | undefined;
}

/** Results are kept by the last part of their path, and must lie where a run may write. */
function checkResults(results: readonly string[], place: ResultsPlace): readonly Problem[] {
  const seen = new Map<string, string>();
  return results.flatMap((path, index) => {
    const at = [...place.path, index];
    const name = baseName(path);
    const twin = seen.get(name);
    seen.set(name, twin ?? path);
    const complaint = complaintAbout(path, twin, place.image);
    if (complaint === undefined) return [];
    const { reason, hint, severity = 'error' } = complaint;
    const message = `${dotted(at)}: ${JSON.stringify(path)} ${reason}`;
    return [{ ...problemAt(place.definition, at, message, { hint }), severity }];
  });
}

interface Complaint {
  readonly reason: string;
  readonly hint?: string;
  readonly severity?: Problem['severity'];
}

function complaintAbout(
  path: string,
  twin: string | undefined,
  image: string | undefined,
): Complaint | undefined {
  if (['', '.', '..'].includes(baseName(path))) return { reason: 'does not name a file or a folder' };
  if (twin !== undefined) {
    return {
      reason: `and ${JSON.stringify(twin)} would be kept under the same name`,
      hint: 'Results are kept by the last part of their path: use different file names.',
    };
  }
  if (path.startsWith('/')) return undefined;
  if (image !== undefined) {
    const reason = 'is relative: where that is in a container depends on the engine';
    return { reason, hint: 'Use an absolute path.', severity: 'warning' };
  }
  if (!climbsOut(path)) return undefined;
  return { reason: 'leads out of the folder of the run', hint: 'Use a path below it, or an absolute one.' };
}

function climbsOut(path: string): boolean {
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
