import type { Side } from '../../git/core/version-pairs.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { DuetBenchmark, DuetSide } from '../core/duet.ts';
import { type Block, inherit, missingKey, readBlock } from './block.ts';
import { checkRuns } from './check-runs.ts';
import { readSide, type SideReading } from './read-side.ts';

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
const MOST_COMPARED = 200;

function noBlock(name: string, { definition, known, index }: DuetPlace): Problem {
  const close = known.length > MOST_COMPARED ? undefined : nearest(name, known);
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

/** At each level `order`, or the other word for it. */
function orderOf(blocks: readonly Block[]): DuetBenchmark['order'] {
  const hasOne = ({ raw }: Block) => Object.hasOwn(raw, 'order') || Object.hasOwn(raw, 'duet_order');
  const block = blocks.find(hasOne);
  if (!block) return 'random';
  return inherit('order', [block]).value ?? inherit('duet_order', [block]).value ?? 'random';
}
