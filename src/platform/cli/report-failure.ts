import { NightmarkError } from '../core/errors.ts';
import type { CliContext } from './command.ts';

/** Reports what does not work because of an error of the user or the system; any other error is a bug and thrown. */
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
