import { flag, type Options, textOption } from '../../platform/cli/command.ts';
import { oneOf, readLevel, readPercent, wholeNumber } from '../../platform/cli/option-values.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type AnalysisOptions, COMPAT_ANALYSIS } from '../core/analysis/duet-analysis.ts';

/** The options of an analysis, understood. Under --compat what is not given is as in the original. */
export function readAnalysisOptions(options: Options): AnalysisOptions {
  const compat = flag(options, 'compat');
  const usual = compat
    ? ([COMPAT_ANALYSIS.warmup, 'steady', 'none'] as const)
    : (['steady', 'half', 'none'] as const);
  return {
    level: readLevel(textOption(options, 'level') ?? '95%'),
    minEffect: readPercent(textOption(options, 'minEffect') ?? '1%', 'min-effect'),
    minOverlap: readOverlap(
      textOption(options, 'minOverlap') ?? (compat ? String(COMPAT_ANALYSIS.minOverlap) : '0'),
    ),
    warmup: oneOf(options, 'warmup', usual),
    pairing: compat ? COMPAT_ANALYSIS.pairing : 'exact',
    fdr: readPercent(textOption(options, 'fdr') ?? '5%', 'fdr'),
    seed: wholeNumber(0, 2 ** 32 - 1)(textOption(options, 'seed') ?? '1', 'seed'),
    slowdown: readSlowdown(textOption(options, 'slowdown') ?? '0%'),
    compat,
  };
}

/** A share of both iterations, as a fraction or a percentage; all of both at once would leave nothing. */
function readOverlap(text: string): number {
  const share = text.includes('%') ? readPercent(text, 'min-overlap') : Number(text.trim() || Number.NaN);
  if (share >= 0 && share < 1) return share;
  throw new NightmarkError('CLI_INVALID_OPTION', `--min-overlap "${text}" is no share from 0 to below 1.`, {
    hint: 'For example: --min-overlap 0.4',
  });
}

/** May be a speed-up: -5% makes every iteration of B a twentieth shorter. */
function readSlowdown(text: string): number {
  const [, sign, rest] = /^\s*([+-]?)(.*)$/s.exec(text) ?? [];
  const fraction = (sign === '-' ? -1 : 1) * readPercent(rest ?? '', 'slowdown');
  if (fraction > -1) return fraction;
  throw new NightmarkError('CLI_INVALID_OPTION', `--slowdown "${text}" leaves no time to measure.`, {
    hint: 'For example: --slowdown 5%',
  });
}
