import { isRegression } from '../../core/duet/is-regression.ts';
import type { Comparison } from '../../core/model/comparison.ts';
import type { JsonObject } from '../../core/text/json.ts';
import { EXIT, type ExitCode, flag, type Options } from '../command.ts';
import type { CliContext } from '../context.ts';
import { comparisonJson } from './compare-json.ts';
import { comparisonText } from './compare-text.ts';
import { writeExports } from './write-exports.ts';

export interface ReportOptions {
  readonly allow: number;
  readonly context: CliContext;
  /** Further keys of the JSON. */
  readonly extra?: JsonObject;
  /** Printed in place of the text. */
  readonly instead?: string;
}

/** Prints and exports what was measured, and says how it went. */
export async function reportComparisons(
  all: readonly Comparison[],
  options: Options,
  { allow, context, extra, instead }: ReportOptions,
): Promise<ExitCode> {
  const { stdout, version, signal } = context;
  if (flag(options, 'json')) {
    const comparisons = all.map((one) => comparisonJson(one, allow));
    stdout.write(`${JSON.stringify({ version, ...extra, comparisons })}\n`);
  } else stdout.write(instead ?? all.map((one) => comparisonText(one, stdout)).join('\n'));
  await writeExports(all, options, { allow, context });
  if (signal.aborted) return EXIT.interrupted;
  const isSlower = all.some((one) => isRegression(one, allow));
  return isSlower && options['fail'] !== false ? EXIT.regression : EXIT.fine;
}
