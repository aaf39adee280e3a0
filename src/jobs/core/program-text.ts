import { shellQuote } from '../../platform/core/text/shell.ts';
import type { JobProgram } from './job.ts';

/** What runs, as it is typed. */
export function programText(program: JobProgram): string {
  return program.type === 'command' ? program.argv.map(shellQuote).join(' ') : program.path;
}
