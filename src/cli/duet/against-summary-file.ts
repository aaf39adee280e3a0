import { againstSummary } from '../../app/duet/against-summary.ts';
import type { Against } from '../../app/duet/prepare-against.ts';
import { isRegression } from '../../core/duet/is-regression.ts';
import type { Comparison } from '../../core/model/comparison.ts';
import { resolvePath } from '../../core/path.ts';
import type { MachineProbe } from '../../core/ports/machine-probe.ts';
import { loadAdapter } from '../adapters.ts';
import { type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';
import { type Retyped, retypeAgainst } from './retype-against.ts';

export interface SummaryOptions {
  readonly against: Against;
  readonly allow: number;
  readonly plan: Retyped & { readonly options: Options };
  readonly context: CliContext;
}

/** Writes the summary where it was asked for; the text when that is stdout. */
export async function writeSummary(
  all: readonly Comparison[],
  { against, allow, plan, context }: SummaryOptions,
): Promise<string | undefined> {
  const path = textOption(plan.options, 'summary');
  const step = context.env['GITHUB_STEP_SUMMARY'];
  if (path === undefined && !step) return undefined;
  const probe = await loadAdapter<MachineProbe>('machines', 'local');
  const machine = await probe.probe();
  const texts = all.map((comparison) => {
    const again = retypeAgainst(plan, { commit: against.sides.A.version.commit, comparison });
    const isSlower = isRegression(comparison, allow);
    return againstSummary({ comparison, against, machine, allow, isRegression: isSlower, again });
  });
  const text = texts.join('\n');
  if (step) await appendTo(step, `${text}\n`, context);
  if (path === '-') return text;
  if (path !== undefined) await context.disk.writeText(resolvePath(context.cwd, path), text);
  return undefined;
}

/** Other steps of the same job write to the same file. */
async function appendTo(path: string, text: string, { disk }: CliContext): Promise<void> {
  const file = await disk.openJournal(path);
  try {
    file.append(text);
  } finally {
    file.close();
  }
}
