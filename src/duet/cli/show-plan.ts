import type { CliContext } from '../../platform/cli/command.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { PlannedRun } from '../core/duet.ts';
import type { FilePlan, FilePlans } from './plan-files.ts';

/** Prints what would be run, in the order of execution: one list of all files as JSON, or lines for people. */
export function showPlan(
  planned: FilePlans,
  { context, json }: { readonly context: CliContext; readonly json: boolean },
): void {
  const { plans } = planned;
  context.stdout.write(json ? toJson(planned) : plans.map(toText).join(''));
}

/** `order` is null for one side alone, `pair` for both; the file is named only where several were given. */
function toJson({ plans, refused }: FilePlans): string {
  const areSeveral = plans.length + refused.length > 1;
  const entries = plans.flatMap(({ file, runs }) =>
    runs.map((run) => {
      const { type, benchmark, runid } = run;
      const sides = run.type === 'seqn' ? { order: null, pair: run.pair } : { order: run.order, pair: null };
      return JSON.stringify({ ...(areSeveral ? { file } : {}), type, benchmark, runid, ...sides });
    }),
  );
  return entries.length === 0 ? '[]\n' : `[\n${entries.map((entry) => `  ${entry}`).join(',\n')}\n]\n`;
}

function toText({ file, suite, seed, runs }: FilePlan): string {
  const left = suite.benchmarks.length - new Set(runs.map(({ benchmark }) => benchmark)).size;
  const rest = left === 0 ? '' : `, ${left} of ${suite.benchmarks.length} duets left out`;
  const width = String(runs.length).length;
  const lines = runs.map((run, index) => `  ${String(index + 1).padStart(width)}  ${toLine(run)}\n`);
  return `${visible(file)}: ${visible(suite.name)}, seed ${seed}, ${runs.length} runs${rest}\n${lines.join('')}`;
}

function toLine(run: PlannedRun): string {
  const sides = run.type === 'seqn' ? run.pair : run.order;
  return `${run.type.padEnd(8)}  ${sides.padEnd(2)}  ${visible(run.benchmark)} ${run.runid}`;
}
