import { NightmarkError, type Problem } from '../core/errors.ts';

/** file:line:column: message, as editors and terminals know it. */
function problemLine({ file, line, column, message }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${message}`;
}

/** An error that knows its problems one by one, for those who show them so. */
export class DefinitionError extends NightmarkError {
  readonly problems: readonly Problem[];

  constructor(
    code: string,
    message: string,
    { hint, problems }: { hint: string; problems: readonly Problem[] },
  ) {
    super(code, message, { hint });
    this.problems = problems;
  }
}

/** One error out of many problems: all of them, so that none has to be found by trying again. */
export function toError(code: string, problems: readonly Problem[]): DefinitionError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const message =
    errors.length === 1 && first
      ? problemLine(first)
      : `The definition has ${errors.length} problems:\n${errors.map(problemLine).join('\n')}`;
  const hint = first?.hint ?? 'nightmark check shows all problems of a home or a file.';
  return new DefinitionError(code, message, { hint, problems });
}
