import type { Problem } from '../../platform/core/errors.ts';
import type { HomeReading } from '../core/home.ts';
import { checkScripts } from './check-scripts.ts';
import { findTypos } from './dashboard/typos.ts';
import type { Definitions, ReadEffects, ReadOptions } from './inspection.ts';
import { inspectHome } from './read-home.ts';

export interface HomeCheck {
  /** Absent where the home cannot be used at all. */
  readonly reading?: HomeReading;
  readonly definitions?: Definitions;
  /** Sorted by file and place. */
  readonly problems: readonly Problem[];
}

/** Everything that is or could be wrong with a home, beyond what a night needs to know. */
export async function checkHome(dir: string, options: ReadOptions, effects: ReadEffects): Promise<HomeCheck> {
  const inspection = await inspectHome(dir, options, effects);
  if (inspection.state === 'unusable') return { problems: sorted(inspection.problems) };
  const { reading, definitions } = inspection;
  const problems = [
    ...reading.problems,
    ...(reading.home.dialect === 'dashboard' ? findTypos(definitions) : []),
    ...(await checkScripts(reading.home, definitions, effects.disk)),
    ...noExperiments(reading, definitions),
  ];
  return { reading, definitions, problems: sorted(problems) };
}

function noExperiments({ home }: HomeReading, { top }: Definitions): readonly Problem[] {
  if (home.tasks.some(({ kind }) => kind === 'experiment')) return [];
  const hint =
    home.dialect === 'native'
      ? 'Add "experiments:" with a name and a command.'
      : 'Make a folder config/experiments/<name> with a config.json.';
  return [{ severity: 'warning', file: top.file, message: 'the home has no experiments', hint }];
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort(
    (a, b) =>
      (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}
