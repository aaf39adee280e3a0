import { csvCell } from '../../platform/core/text/csv.ts';
import { type Comparison, type MeasuredSide, sideSummary } from '../core/comparison.ts';
import { percent } from '../core/verdict-sentence.ts';
import { comparisonJson } from './compare-json.ts';

/** The shape of hyperfine's --export-json, which many programs read; what we know beyond it has a key of its own. */
export function exportJson(comparisons: readonly Comparison[], allow: number): string {
  const results = comparisons.flatMap(({ sides, parameters }) =>
    [sides.A, sides.B].flatMap((side) => {
      const summary = sideSummary(side);
      if (!summary) return [];
      const { mean, stddev = null, median, user = 0, system = 0, min, max } = summary;
      const { times, exitCodes } = side;
      return [
        {
          command: label(side),
          mean,
          stddev,
          median,
          user,
          system,
          min,
          max,
          times,
          exit_codes: exitCodes,
          ...(Object.keys(parameters).length > 0 && { parameters }),
        },
      ];
    }),
  );
  const ours = comparisons.map((comparison) => comparisonJson(comparison, allow));
  return `${JSON.stringify({ results, nightmark: { comparisons: ours } }, null, 2)}\n`;
}

/** hyperfine's columns, then ours. */
export function exportCsv(comparisons: readonly Comparison[]): string {
  const names = Object.keys(comparisons[0]?.parameters ?? {});
  const head = [
    ...['command', 'mean', 'stddev', 'median', 'user', 'system', 'min', 'max'],
    ...names.map((name) => `parameter_${name}`),
    ...['side', 'verdict', 'ratio', 'ratio_low', 'ratio_high', 'level', 'pairs', 'mode'],
  ];
  const rows = comparisons.flatMap(({ sides, parameters, judgement, mode }) =>
    (['A', 'B'] as const).flatMap((side) => {
      const summary = sideSummary(sides[side]);
      if (!summary) return [];
      const { mean, stddev, median, user, system, min, max } = summary;
      const { verdict, effect, runs } = judgement;
      const numbers = [mean, stddev, median, user, system, min, max];
      const ours = [side, verdict, effect?.ratio, effect?.low, effect?.high, effect?.level, runs, mode];
      return [[label(sides[side]), ...numbers, ...names.map((name) => parameters[name]), ...ours]];
    }),
  );
  return `${[head, ...rows].map((row) => row.map((cell) => csvCell(String(cell ?? ''))).join(',')).join('\n')}\n`;
}

/** hyperfine's table, with the ratio's interval and the verdict beside. */
export function exportMarkdown(comparisons: readonly Comparison[]): string {
  const times = comparisons.flatMap(({ sides }) => [...sides.A.times, ...sides.B.times]);
  const [unit, size] = times.length > 0 && Math.max(...times.slice(0, 1000)) >= 1 ? ['s', 1] : ['ms', 1000];
  const lines = [
    `| Command | Mean [${unit}] | Min [${unit}] | Max [${unit}] | Relative | Interval | Verdict |`,
    '|:---|---:|---:|---:|---:|---:|:---|',
  ];
  for (const { sides, judgement } of comparisons) {
    for (const side of ['A', 'B'] as const) {
      const summary = sideSummary(sides[side]);
      if (!summary) continue;
      const show = (seconds: number) => (seconds * size).toFixed(unit === 's' ? 3 : 1);
      const spread = summary.stddev === undefined ? '' : ` ± ${show(summary.stddev)}`;
      const { effect, verdict } = judgement;
      const ours =
        side === 'A' || !effect
          ? [side === 'A' ? '1.00' : '', '', '']
          : [
              effect.ratio.toFixed(3),
              `${effect.low.toFixed(3)} to ${effect.high.toFixed(3)} (${percent(effect.level)})`,
              verdict,
            ];
      const cells = [`${show(summary.mean)}${spread}`, show(summary.min), show(summary.max), ...ours];
      lines.push(`| ${markdownCode(label(sides[side]))} | ${cells.join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** hyperfine puts a name in place of the command; A and B are no names that anybody gave. */
function label({ name, command }: MeasuredSide): string {
  return name === 'A' || name === 'B' ? command : name;
}

/** A fence longer than any run of backticks inside; a pipe would end the cell. */
function markdownCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}${pad}${fence}`;
}
