import pc from 'picocolors';
import type { Output } from '../../platform/cli/context.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { Verdict } from '../../stats/verdict.ts';
import { type Comparison, type MeasuredSide, sideSummary } from '../core/comparison.ts';
import { verdictAdvice, verdictBasis, verdictSentence } from '../core/verdict-sentence.ts';
import { parametersText } from './compare-parameters.ts';

/** The answer first, then the numbers of both sides, then what to know about them. */
export function comparisonText(comparison: Comparison, { hasColor }: Output): string {
  const colors = pc.createColors(hasColor);
  const { sides, judgement, notes, parameters } = comparison;
  const settings = parametersText(parameters);
  const advice = verdictAdvice(comparison);
  const paint = colors[COLORS[judgement.verdict]];
  const early = earlyText(comparison);
  const lines = [
    `${settings === '' ? '' : `${settings}: `}${paint(colors.bold(verdictSentence(comparison)))}  (${verdictBasis(comparison)})`,
    ...(advice === undefined ? [] : [advice]),
    ...(early === undefined ? [] : [early]),
    '',
    ...sideLines(sides.A),
    ...sideLines(sides.B),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `${colors.yellow('note')}: ${visible(note)}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

const COLORS: Readonly<Record<Verdict, 'green' | 'red' | 'cyan' | 'yellow'>> = {
  faster: 'green',
  slower: 'red',
  same: 'cyan',
  undecided: 'yellow',
};

function earlyText({ look, state, planned }: Comparison): string | undefined {
  if (!look || look.of === 1) return undefined;
  const when =
    state === 'decided'
      ? `Decided at look ${look.number} of ${look.of}, before all ${planned} pairs`
      : `Look ${look.number} of ${look.of}`;
  return `${when}; the level of the interval makes up for looking more than once.`;
}

function sideLines(side: MeasuredSide): readonly string[] {
  const summary = sideSummary(side);
  const title = `  ${visible(side.name)}: ${visible(side.command)}`;
  if (!summary) return [title, '     no run was completed'];
  const { mean, stddev, min, max, user, system } = summary;
  const time = (value: number) => plainly(formatNumber(value, 's'));
  const spread = stddev === undefined ? '' : ` ± ${time(stddev)}`;
  const cpu =
    user === undefined || system === undefined ? '' : `   user ${cpuTime(user)}, system ${cpuTime(system)}`;
  return [title, `     ${time(mean)}${spread}   ${time(min)} … ${time(max)}${cpu}`];
}

/** Counted in steps of a millisecond: more digits would be invented. */
function cpuTime(seconds: number): string {
  return seconds < 0.1 ? `${(seconds * 1000).toFixed(1)} ms` : plainly(formatNumber(seconds, 's'));
}
