import type { Series } from '../../../formats/core/sample.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** All series, or the one whose keys were given. */
export function chooseSeries(series: readonly Series[], metric: string | undefined): readonly Series[] {
  if (metric === undefined) return series;
  for (const joint of ['/', '.']) {
    const found = series.filter(({ path }) => path.join(joint) === metric);
    if (found.length > 0) return found;
  }
  const names = series.slice(0, 8).map(({ path }) => path.join('/'));
  throw new NightmarkError('PLAN_NO_METRIC', `The experiment has no value "${metric}".`, {
    hint: `It has: ${names.join(', ')}${series.length > 8 ? `, and ${series.length - 8} more` : ''}.`,
  });
}
