import { type Options, textOption } from '../../../platform/cli/command.ts';
import { optional, readLevel, readPercent } from '../../../platform/cli/option-values.ts';
import { DURATION, parseDuration } from '../../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PlanAim } from '../../core/plan/plan.ts';

/** The options of a plan, understood. */
export interface PlanSettings {
  readonly aim: PlanAim;
  readonly minutes: number;
  readonly hasMinutes: boolean;
  readonly metric?: string;
  readonly seconds?: number;
  readonly noise?: number;
  readonly from?: string;
  readonly duet?: string;
}

export function readPlanOptions(options: Options): PlanSettings {
  const minutes = optional(options, 'minutes', readMinutes);
  const metric = textOption(options, 'metric');
  const seconds = optional(options, 'time', readTime);
  const noise = optional(options, 'noise', readShare);
  const [from, duet] = [textOption(options, 'from'), textOption(options, 'duet')];
  return {
    aim: {
      detect: readShare(textOption(options, 'detect') ?? '1%', 'detect'),
      power: readPower(textOption(options, 'power') ?? '90%'),
      level: readLevel(textOption(options, 'level') ?? '95%'),
    },
    minutes: minutes ?? 5,
    hasMinutes: minutes !== undefined,
    ...(metric !== undefined && { metric }),
    ...(seconds !== undefined && { seconds }),
    ...(noise !== undefined && { noise }),
    ...(from !== undefined && { from }),
    ...(duet !== undefined && { duet }),
  };
}

/** Above 0: nothing can find no effect at all, and without noise there is nothing to plan. */
function readShare(text: string, option: string): number {
  const share = readPercent(text, option);
  if (share > 0 && share <= 10) return share;
  throw invalid(`--${option} "${text}" is not between 0 and 1000 %.`, `For example: --${option} 1%`);
}

function readPower(text: string): number {
  const power = text.includes('%') ? readPercent(text, 'power') : Number(text);
  if (text.trim() !== '' && power >= 0.1 && power <= 0.9999) return power;
  throw invalid(`--power "${text}" is no share from 0.1 to 0.9999.`, 'For example: --power 0.9');
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= 1e6) return minutes;
  throw invalid(`--minutes "${text}" is no number of minutes.`, 'For example: --minutes 5');
}

/** A duration here may be far shorter than a timeout: "200us" is a time of a run. */
function readTime(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms / 1000;
  throw invalid(`--time "${text}" is not ${DURATION}.`, 'For example: --time 200ms');
}

function invalid(message: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, { hint });
}
