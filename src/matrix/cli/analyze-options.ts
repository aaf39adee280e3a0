import { NEWEST_DEFAULTS } from '../../judge/core/newest/judge-newest.ts';
import type { AnalysisRules } from '../../judge/core/regression/analyze.ts';
import { METHODS, methodNamed } from '../../judge/core/regression/methods.ts';
import type { RegressionMethod } from '../../judge/core/regression/regression-method.ts';
import { flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

export const OWN_METHOD = 'nightmark';
export const METHOD_NAMES = [OWN_METHOD, ...METHODS.map(({ name }) => name)];

/** What the options say about the judging. */
export function analysisRules(options: Options): Omit<AnalysisRules, 'comparison'> {
  const isCompat = flag(options, 'compat');
  const method = methodOf(textOption(options, 'method') ?? (isCompat ? 'hunter' : OWN_METHOD), isCompat);
  const order = orderOf(textOption(options, 'order'));
  return {
    isCompat,
    minEffect: fractionOf(textOption(options, 'minEffect')),
    kpiFilter: textOption(options, 'kpi') ?? '',
    ...(method && { method }),
    ...(order && { order }),
  };
}

function methodOf(name: string, isCompat: boolean): RegressionMethod | undefined {
  const method = methodNamed(name, isCompat);
  if (method || name === OWN_METHOD) return method;
  throw new NightmarkError('CLI_INVALID_OPTION', `There is no method "${name}".`, {
    hint: `Methods: ${METHOD_NAMES.join(', ')}.`,
  });
}

function orderOf(text: string | undefined): 'version' | 'time' | undefined {
  if (text === undefined || text === 'version' || text === 'time') return text;
  throw new NightmarkError('CLI_INVALID_OPTION', `A history has no order "${text}".`, {
    hint: 'Orders: version, time.',
  });
}

/** "2%" or 0.02. */
function fractionOf(text: string | undefined): number {
  if (text === undefined) return NEWEST_DEFAULTS.minEffect;
  const found = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text);
  const value = found ? Number(found[1]) / (found[2] === '%' ? 100 : 1) : Number.NaN;
  if (value >= 0 && value < 1) return value;
  throw new NightmarkError('CLI_INVALID_OPTION', `--min-effect ${text} is no effect.`, {
    hint: 'Give a share below 1: 2% or 0.02.',
  });
}
