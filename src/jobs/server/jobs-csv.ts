import { isSecretKey } from '../../platform/core/secrets.ts';
import { csvCell } from '../../platform/core/text/csv.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { flatKeys } from '../core/dotted-keys.ts';
import type { ListedJob } from '../core/job-documents.ts';

const FACTS = [
  'id',
  'name',
  'experiment',
  'project',
  'user',
  'status',
  'attempt',
  'host',
  'exception',
] as const;
const TIMES = ['createdAt', 'startedAt', 'endedAt'] as const;

/** One row for each job: facts, times in ISO 8601, what people said, and each key of a configuration. */
export function jobsCsv(jobs: readonly ListedJob[]): string {
  const configs = jobs.map(({ config }) => flatKeys(config, 'config'));
  const said = jobs.map(({ annotations }) => flatKeys(annotations, 'annotations'));
  const keys = [...new Set([...configs, ...said].flatMap((one) => [...one.keys()]))].sort();
  const head = [...FACTS, ...TIMES, 'progress', ...keys];
  const rows = jobs.map((job, at) => [
    ...FACTS.map((fact) => text(job[fact])),
    ...TIMES.map((time) => isoText(job[time])),
    text(job.progress),
    ...keys.map((key) => shown(key, configs[at]?.get(key) ?? said[at]?.get(key))),
  ]);
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

function shown(key: string, value: JsonValue | undefined): string {
  return isSecretKey(key.slice(key.lastIndexOf('.') + 1)) && value !== undefined ? '***' : text(value);
}

function text(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isoText(at: number | undefined): string {
  const date = new Date(at ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
