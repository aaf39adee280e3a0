import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** Tells what a server does without. Of errors of people and of the system; anything else is a bug of ours. */
export function reportFailure(
  error: unknown,
  consequence: string,
  { stderr }: Pick<CliContext, 'stderr'>,
): void {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined) throw error;
  const hint = error instanceof NightmarkError ? error.hint : undefined;
  stderr.write(`${consequence}: ${error.message} [${code}]\n${hint === undefined ? '' : `  ${hint}\n`}`);
}
