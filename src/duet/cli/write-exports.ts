import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { Comparison } from '../core/comparison.ts';
import { exportCsv, exportJson, exportMarkdown } from './compare-exports.ts';

/** Writes the files that were asked for. */
export async function writeExports(
  comparisons: readonly Comparison[],
  options: Options,
  { allow, context }: { readonly allow: number; readonly context: CliContext },
): Promise<void> {
  const files = [
    ['exportJson', () => exportJson(comparisons, allow)],
    ['exportCsv', () => exportCsv(comparisons)],
    ['exportMarkdown', () => exportMarkdown(comparisons)],
  ] as const;
  for (const [option, text] of files) {
    const path = textOption(options, option);
    if (path !== undefined) await context.disk.writeText(resolvePath(context.cwd, path), text());
  }
}
