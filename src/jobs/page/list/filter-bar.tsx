import { useEffect, useState } from 'preact/hooks';
import type { SourceProblem } from '../../../platform/page/data/source.ts';
import { setParameters } from '../../../platform/page/router/address.ts';
import type { JobCounts } from '../../core/job-documents.ts';
import type { ShownStatus } from '../../core/shown-job.ts';
import type { Filters } from './use-selection.ts';

const STATUSES = [
  ['', 'any status'],
  ['QUEUE', 'in the queue'],
  ['RUNNING', 'running'],
  ['UNRESPONSIVE', 'unresponsive'],
  ['CREATED', 'waiting'],
  ['SCHEDULED', 'scheduled'],
  ['FINISHED', 'finished'],
  ['FAILED', 'failed'],
  ['CANCELED', 'cancelled'],
] as const;
const LIMITS = ['', '100', '1000', '10000'] as const;
/** Nobody types slower in the middle of a word. */
const PAUSE_MS = 350;

interface FilterBarProps {
  readonly filters: Filters;
  readonly counts: JobCounts | undefined;
  readonly projects: readonly string[];
  readonly isFlat: boolean;
  readonly problem: SourceProblem | undefined;
}

export function FilterBar({ filters, counts, projects, isFlat, problem }: FilterBarProps) {
  const [search, setSearch] = useTyped(filters.search ?? '', 'search');
  const [project, setProject] = useTyped(filters.project ?? '', 'project');
  return (
    <search class="job-filters">
      <div class="controls">
        <label class="wide">
          search
          <input
            type="search"
            value={search}
            placeholder="name, or where:lr > 0.1 and starred"
            aria-invalid={problem !== undefined}
            {...(problem && { 'aria-describedby': 'search-problem' })}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <label>
          status
          <select
            value={filters.status?.toUpperCase() ?? ''}
            onChange={(event) => setParameters({ status: event.currentTarget.value })}
          >
            {STATUSES.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
                {countText(counts, value)}
              </option>
            ))}
          </select>
        </label>
        <label>
          project
          <input
            list="job-projects"
            value={project}
            size={14}
            onInput={(event) => setProject(event.currentTarget.value)}
          />
          <datalist id="job-projects">
            {projects.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        <label>
          limit
          <select
            value={filters.limit === undefined ? '' : String(filters.limit)}
            onChange={(event) => setParameters({ limit: event.currentTarget.value })}
          >
            {[...new Set([...LIMITS, ...(filters.limit === undefined ? [] : [String(filters.limit)])])].map(
              (value) => (
                <option key={value} value={value}>
                  {value === '' ? 'none' : value}
                </option>
              ),
            )}
          </select>
        </label>
        <button
          type="button"
          class="chip"
          aria-pressed={!isFlat}
          onClick={() => setParameters({ list: isFlat ? undefined : 'flat' })}
        >
          grouped
        </button>
      </div>
      {problem && (
        <p class="problem message" role="alert" id="search-problem">
          {problem.message} <span class="quiet">{problem.hint}</span>
        </p>
      )}
    </search>
  );
}

function countText(counts: JobCounts | undefined, status: string): string {
  const count = counts?.statuses[status as ShownStatus];
  return count === undefined ? '' : ` (${count})`;
}

/** Typed text goes to the address after a pause; a change of the address is shown. */
function useTyped(given: string, name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(given);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(() => setParameters({ [name]: text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
