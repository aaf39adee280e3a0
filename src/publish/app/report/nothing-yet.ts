import { NightmarkError } from '../../../platform/core/errors.ts';

export function nothingYet(home: string): NightmarkError {
  return new NightmarkError('REPORT_NOTHING', `${home} has no results yet.`, {
    hint: `Run a night first: nightmark run ${home}`,
  });
}
