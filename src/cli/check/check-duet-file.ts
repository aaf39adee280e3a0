import { readDuetFile } from '../../config/duet/read-duet-file.ts';
import { EXIT, type ExitCode } from '../command.ts';
import type { CliContext } from '../context.ts';
import { describeProblem } from '../describe-problem.ts';

/** Reports every problem of a duet.yml. */
export async function checkDuetFile(
  file: string,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): Promise<ExitCode> {
  const reading = await readDuetFile(file, context);
  const { problems } = reading;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (json) {
    const facts = { file, isUsable: reading.state === 'usable', errors, warnings, problems };
    context.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else {
    for (const problem of problems) context.stdout.write(describeProblem(problem, context.cwd));
    const seen =
      reading.state === 'usable' ? `; ${reading.suite.name}: ${reading.suite.benchmarks.length} duets` : '';
    context.stdout.write(`${errors} errors, ${warnings} warnings${seen}\n`);
  }
  return errors > 0 ? EXIT.error : EXIT.fine;
}
