import { type CliContext, EXIT, type ExitCode } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { LARGEST_BYTES } from '../../platform/config/definition.ts';
import { DefinitionError } from '../../platform/config/definition-problems.ts';
import { messageOf, NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { type Checked, checkKind, checkModule } from './check-kinds.ts';
import { type FileKind, recognizeFile } from './recognize-file.ts';

export interface CheckPlace {
  readonly context: CliContext;
  readonly json: boolean;
}

/** Recognises a definition file by what is in it, and tells every problem. */
export async function checkFile(file: string, { context, json }: CheckPlace): Promise<ExitCode> {
  const { kinds, problems, seen } = await judged(file, context);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (json) {
    const facts = { file, kinds, isUsable: errors === 0, errors, warnings, problems };
    context.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else {
    for (const problem of problems) context.stdout.write(describeProblem(problem, context.cwd));
    const told = seen.length === 0 ? '' : `; ${seen.join('; ')}`;
    context.stdout.write(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}${told}\n`);
  }
  return errors > 0 ? EXIT.error : EXIT.fine;
}

interface Judged {
  readonly kinds: readonly FileKind[];
  readonly problems: readonly Problem[];
  readonly seen: readonly string[];
}

async function judged(file: string, context: CliContext): Promise<Judged> {
  if (/\.(?:m?js|m?ts)$/.test(file)) return together(file, { workload: () => checkModule(file, context) });
  const text = await context.disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  const found = recognizeFile(file, text ?? '');
  if (found.state === 'broken') return { kinds: [], problems: found.problems, seen: [] };
  if (found.state === 'unknown') return { kinds: [], problems: [unknown(file, found.keys)], seen: [] };
  const checks = found.kinds.map((kind) => [kind, () => checkKind(kind, file, context)] as const);
  return together(file, Object.fromEntries(checks));
}

type Checks = { readonly [kind in FileKind]?: () => Promise<Checked> };

async function together(file: string, checks: Checks): Promise<Judged> {
  const kinds = Object.keys(checks) as FileKind[];
  const problems: Problem[] = [];
  const seen: string[] = [];
  for (const kind of kinds) {
    const checked = await checks[kind]?.().catch((error: unknown) => ({ problems: problemsOf(error, file) }));
    problems.push(...(checked?.problems ?? []));
    if (checked && 'seen' in checked) seen.push(checked.seen);
  }
  return { kinds, problems, seen };
}

function problemsOf(error: unknown, file: string): readonly Problem[] {
  if (error instanceof DefinitionError) return error.problems;
  if (!(error instanceof NightmarkError)) throw error;
  const { hint } = error;
  return [{ severity: 'error', file, message: messageOf(error), ...(hint !== undefined && { hint }) }];
}

function unknown(file: string, keys: readonly string[]): Problem {
  const found = keys.length === 0 ? 'no keys' : keys.slice(0, 5).join(', ');
  return {
    severity: 'error',
    file,
    message: `${baseName(file)} is no definition file that is known: found ${found}`,
    hint: 'Known are duet.yml (duetbench:), matrices (matrix: and run:, or expe:), workloads (fields:), plots (visualize:), url files (download:) and matbench blocks (matbench:); a home is checked by its folder.',
  };
}
