import { dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { DuetBenchmark } from '../core/duet.ts';
import { type Block, inherit } from './block.ts';

const SIDES = ['A', 'B'] as const;

/** What cannot be run as it is asked for, and what nobody can have meant. */
export function checkRuns(benchmark: DuetBenchmark, blocks: readonly [Block, Block]): readonly Problem[] {
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

/** A synchronised command that does not know its barrier runs unsynchronised, and nobody sees it. */
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
