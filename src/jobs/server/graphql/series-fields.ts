import { NightmarkError } from '../../../platform/core/errors.ts';
import { compilePattern } from '../../../platform/core/patterns/pattern.ts';
import type { Job } from '../../core/job.ts';
import { type JobSeries, tagText } from '../job-series.ts';
import { extremeRow, newestRow, type SeriesRow, seriesRows } from '../series-rows.ts';
import type { GraphqlContext } from './context.ts';

export interface SeriesFilter {
  readonly measurement?: string | null;
  readonly tags?: string | null;
}

/** Metrics of a job as the type Timeseries. */
export function seriesFields(job: Job, filter: SeriesFilter, context: GraphqlContext) {
  return filteredSeries(context.series.seriesOf(job), filter).map((series) => {
    let read: Promise<readonly SeriesRow[]> | undefined;
    const rows = () => {
      read ??= seriesRows(series, context);
      return read;
    };
    return {
      measurement: series.measurement,
      tags: series.tags,
      jobId: job.id,
      values: rows,
      currentValue: () => newestRow(series, context),
      maxValue: async () => extremeRow(series, await rows(), 'max'),
      minValue: async () => extremeRow(series, await rows(), 'min'),
    };
  });
}

export function filteredSeries(
  all: readonly JobSeries[],
  { measurement, tags }: SeriesFilter,
): readonly JobSeries[] {
  const isNamed = measurement ? wholeName(measurement) : () => true;
  const wanted = (tags ?? '')
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('='));
  return all.filter(
    (series) =>
      isNamed(series.measurement) &&
      wanted.every(([key = '', value = '']) => {
        const tag = Object.hasOwn(series.tags, key) ? series.tags[key] : undefined;
        // Both as JavaScript says a boolean, and as line protocol does.
        return tag !== undefined && (String(tag) === value || tagText(tag) === value);
      }),
  );
}

function wholeName(text: string): (name: string) => boolean {
  try {
    return compilePattern(`^(?:${text})$`).test;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    throw new NightmarkError('JOBS_ASKED', `${JSON.stringify(text)} cannot be asked for: ${error.message}.`, {
      hint: error.hint ?? 'Give the name of a measurement, or a regular expression.',
    });
  }
}
