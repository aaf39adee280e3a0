import { createChangeFinder } from './change-finder.ts';
import type { SeriesLevels } from './levels.ts';
import type { ChangeOptions, SeriesInput } from './options.ts';

/** Levels of a series and the changes between them. */
export function findChanges(
  { values, weights }: SeriesInput,
  options: Partial<ChangeOptions> = {},
): SeriesLevels {
  const finder = createChangeFinder(options);
  for (let index = 0; index < values.length; index++)
    finder.append(values[index] as number, weights?.[index] ?? 1);
  return finder.levels();
}
