import type { Problem } from '../../platform/core/errors.ts';
import type { DuetSide } from '../core/duet.ts';
import { type Block, inherit, missingKey } from './block.ts';
import { checkResults } from './check-results.ts';

export interface SideReading {
  readonly side: DuetSide;
  readonly problems: readonly Problem[];
}

/** One side out of its own block, that of its duet, and duetbench. */
export function readSide(blocks: readonly [Block, Block, Block]): SideReading {
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
