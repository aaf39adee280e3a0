import { isField } from '../../core/jobs/search/field-values.ts';
import { expressionMatcher, textMatcher } from '../../core/jobs/search/matches.ts';
import type { Expression, JobSearch } from '../../core/jobs/search/search.ts';
import type { Job } from '../../core/model/job.ts';
import type { Dialect } from './session.ts';

/** A job of a page of a search: its id, its age, and what the filter looks at. */
export type Found = readonly [id: string, createdAt: number, ...further: readonly unknown[]];

export interface Filter {
  /** Further parts of the JSON text of a row, each with its comma. */
  readonly further: string;
  /** Whether the documents of the jobs are among them. */
  readonly isWhole: boolean;
  isFound(found: Found): boolean;
}

/** Fields that are columns: for these no document need be read. */
const COLUMNS: Readonly<Record<string, string>> = {
  user: 'user_name',
  ...{ project: 'project', experiment: 'experiment', name: 'name', status: 'status', executor: 'executor' },
  ...{ priority: 'priority', workers: 'workers', attempt: 'attempt', lost: 'lost' },
};
const NUMBERS = new Set(['priority', 'workers', 'attempt', 'lost']);
const ALIASES: Readonly<Record<string, string>> = { job: 'name' };

export function filterOf(search: JobSearch | undefined, dialect: Dialect): Filter {
  if (search === undefined) return { further: '', isWhole: false, isFound: () => true };
  if (search.type === 'text') {
    const isFound = textMatcher(search);
    return {
      further: parts(['name', 'experiment', 'description'].map(dialect.quoted)),
      isWhole: false,
      isFound: ([, , ...texts]) => isFound(texts as string[]),
    };
  }
  return expressionFilter(search.expression, dialect);
}

function expressionFilter(expression: Expression, dialect: Dialect): Filter {
  const isMatch = expressionMatcher(expression);
  const fields = [
    ...new Set(
      namesIn(expression)
        .filter(isField)
        .map((name) => ALIASES[name] ?? name),
    ),
  ];
  if (fields.some((name) => !Object.hasOwn(COLUMNS, name))) {
    const further = parts([
      'config',
      'attempt',
      'lost',
      'registered',
      dialect.quoted('status'),
      'spec',
      'facts',
      HEARTBEAT,
    ]);
    return { further, isWhole: true, isFound: (found) => isMatch(wholeJob(found)) };
  }
  // Names that are no fields are looked for in the configuration only: the rest of the job need not be read.
  const columns = fields.map((name) => {
    const column = COLUMNS[name] ?? '';
    return NUMBERS.has(name) ? column : dialect.quoted(column);
  });
  return {
    further: parts(['config', ...columns]),
    isWhole: false,
    isFound: ([, , config, ...values]) =>
      isMatch(Object.assign({ config }, ...fields.map((name, at) => ({ [name]: values[at] }))) as Job),
  };
}

const HEARTBEAT = `coalesce(heartbeat_at, 0)`;

function parts(texts: readonly string[]): string {
  return texts.map((text) => ` || ',' || ${text}`).join('');
}

function wholeJob([, , config, attempt, lost, registered, status, spec, facts, heartbeatAt]: Found): Job {
  const heartbeat = heartbeatAt === 0 ? {} : { heartbeatAt };
  return {
    ...(spec as object),
    ...(facts as object),
    ...heartbeat,
    config,
    attempt,
    lost,
    registered,
    status,
  } as Job;
}

function namesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'value':
      return [];
    case 'name':
      return [expression.name];
    case 'not':
      return namesIn(expression.of);
    case 'in':
      return [expression.left, ...expression.values].flatMap(namesIn);
    case 'call':
      return [...namesIn(expression.of), ...namesIn(expression.argument)];
    default:
      return [...namesIn(expression.left), ...namesIn(expression.right)];
  }
}
