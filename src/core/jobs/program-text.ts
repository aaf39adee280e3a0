import type { JobProgram } from '../model/job.ts';
import { shellQuote } from '../text/shell-quote.ts';

/** What runs, as it is typed. */
export function programText(program: JobProgram): string {
  return program.type === 'command' ? program.argv.map(shellQuote).join(' ') : program.path;
}
