import type { Home } from '../../home/core/home.ts';
import type { ImportOptions } from '../app/import-request.ts';

/**
 * How a commit is filed: under the source that the home has of that name, else under its only source, so that bisect and
 * explanations find the repository; else under the name that the results give it.
 */
export function sourceNames(home: Home | undefined, given: string | undefined): ImportOptions['sourceName'] {
  const ofTask = (experiment?: string) => {
    const tasks = (home?.tasks ?? []).filter(({ name }) => experiment === undefined || name === experiment);
    return [...new Set(tasks.flatMap(({ sources }) => sources.map(({ name }) => name)))];
  };
  const all = ofTask();
  return (experiment, repository) => {
    if (given !== undefined) return given;
    const own = ofTask(experiment);
    const known = own.length > 0 ? own : all;
    if (repository !== undefined && known.includes(repository)) return repository;
    return (known.length === 1 ? known[0] : undefined) ?? repository ?? 'source';
  };
}
