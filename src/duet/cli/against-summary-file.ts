import type { MachineProbe } from '../../home/core/machine/machine-probe.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { textOption } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { againstSummary } from '../app/against-summary.ts';
import type { Against } from '../app/prepare-against.ts';
import { type Comparison, isRegression } from '../core/comparison.ts';
import type { AgainstPlan } from './against-plan.ts';
import { retypeAgainst } from './retype-against.ts';

export interface SummaryWriter {
  /** Printed in place of the usual text; absent when that was not asked for. */
  readonly asText?: (comparisons: readonly Comparison[]) => string;
  /** Writes it to the file that was asked for, and adds it to the page of the job. */
  write(comparisons: readonly Comparison[]): Promise<void>;
}

export interface SummaryCircumstances {
  readonly against: Against;
  readonly allow: number;
  readonly plan: AgainstPlan;
  readonly context: CliContext;
}

export async function summaryWriter(circumstances: SummaryCircumstances): Promise<SummaryWriter> {
  const { against, allow, plan, context } = circumstances;
  const machine = await (await loadAdapter<MachineProbe>('machines', 'local')).probe();
  const { commit } = against.sides.A.version;
  const toText = (comparisons: readonly Comparison[]) =>
    comparisons
      .map((comparison) => {
        const again = retypeAgainst(plan, { commit, comparison });
        const isSlower = isRegression(comparison, allow);
        return againstSummary({ comparison, against, machine, allow, isRegression: isSlower, again });
      })
      .join('\n');

  const path = textOption(plan.options, 'summary');
  const job = context.env['GITHUB_STEP_SUMMARY'];
  return {
    ...(path === '-' && { asText: toText }),
    async write(comparisons) {
      const file = path === undefined || path === '-' ? undefined : resolvePath(context.cwd, path);
      if (file !== undefined) await context.disk.writeText(file, toText(comparisons));
      if (job) await appendTo(job, `${toText(comparisons)}\n`, context);
    },
  };
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
