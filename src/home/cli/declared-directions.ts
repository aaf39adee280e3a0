import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { DirectionRule } from '../core/changes/directions.ts';
import { homeLayout } from '../core/home-layout.ts';
import { definitionMentions } from './home-argument.ts';

type ReadingContext = Pick<CliContext, 'disk' | 'userHome' | 'env'>;

/** The directions that the definition of a home declares; undefined where it cannot be read, or there is none. */
export async function declaredDirections(
  home: string,
  context: ReadingContext,
): Promise<readonly DirectionRule[] | undefined> {
  const isDeclared =
    (await definitionMentions(home, 'directions', context)) ||
    (await context.disk.stat(homeLayout(home).directions)) !== undefined;
  if (!isDeclared) return [];
  try {
    const { readHome } = await import('../config/read-home.ts');
    return (await readHome(home, {}, context)).home.directions ?? [];
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}
