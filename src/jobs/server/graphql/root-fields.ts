import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import type { JobQuery, StatusFilter } from '../../core/job-queue.ts';
import type { JobSearch } from '../../core/job-search.ts';
import { parseSearch } from '../../core/search/parse-search.ts';
import { annotate } from '../annotate.ts';
import { listAll } from '../list-all.ts';
import type { GraphqlContext } from './context.ts';
import { jobFields } from './job-fields.ts';

interface JobsArguments {
  readonly ids?: readonly (string | null)[] | null;
  readonly user?: string | null;
  readonly project?: string | null;
  readonly experiment?: string | null;
  readonly job?: string | null;
  readonly search?: string | null;
  readonly status?: StatusFilter | null;
  readonly limit?: number | null;
}

interface AnnotationArguments {
  readonly jobId: string;
  readonly key: string;
  readonly value?: JsonValue;
}

/** What Query and Mutation answer. */
export const ROOT_FIELDS = {
  async job({ id }: { readonly id: string }, context: GraphqlContext) {
    const job = await context.effects.jobs.queue.job(id);
    return job && jobFields(job, context);
  },

  async jobs(asked: JobsArguments, context: GraphqlContext) {
    const { queue } = context.effects.jobs;
    const query = queryOf(asked);
    if (query === undefined) return [];
    const limit = Math.max(0, asked.limit ?? 0) || Number.MAX_SAFE_INTEGER;
    // One more than may be given shows that it would be too many.
    const jobs = await listAll(queue, { ...query, limit: Math.min(limit, context.budget.left('jobs') + 1) });
    context.budget.take('jobs', jobs.length);
    return jobs.map((job) => jobFields(job, context));
  },

  async setAnnotation({ jobId, key, value }: AnnotationArguments, context: GraphqlContext) {
    const job = await annotate(context.effects.jobs.queue, { id: jobId, key, value });
    return job && jobFields(job, context);
  },
};

/** Undefined: nothing matches. Null means the same as nothing, as the old page sends it. */
function queryOf(asked: JobsArguments): Omit<JobQuery, 'limit'> | undefined {
  const { ids, user, project, experiment, job: name, status } = asked;
  const search = searchOf(asked.search ?? '');
  if (search === 'nothing') return undefined;
  const texts = Object.entries({ user, project, experiment, name }).filter(([, text]) => text != null);
  return {
    ...Object.fromEntries(texts),
    ...(ids != null && { ids: ids.filter((id) => id !== null) }),
    ...(status != null && { status }),
    ...(search && { search }),
  };
}

/** A search that cannot be read matches nothing, as it always did. */
function searchOf(text: string): JobSearch | 'nothing' | undefined {
  try {
    return parseSearch(text);
  } catch (error) {
    if (error instanceof NightmarkError) return 'nothing';
    throw error;
  }
}
