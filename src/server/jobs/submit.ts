import { submitJobs } from '../../app/jobs/submit-jobs.ts';
import type { JobCode } from '../../core/model/job.ts';
import { refused } from './asked.ts';
import type { JobService } from './effects.ts';
import { findJob } from './find-job.ts';
import type { Submitted } from './submission.ts';

/** Puts what was read into the queue, all of it or nothing; ids in the order of the jobs. */
export async function submit(
  all: readonly Submitted[],
  { queue, randomSeed }: JobService,
): Promise<readonly string[]> {
  const [first] = all;
  const code = first?.code;
  if (all.some((one) => JSON.stringify(one.code) !== JSON.stringify(code)))
    throw refused('Jobs of one submission have the same "code".', 'Submit those with other code separately.');
  await refuseUnknownCode(code, { queue });
  const drafts = [];
  for (const { draft } of all) {
    const after: string[] = [];
    for (const part of draft.after) after.push((await findJob(part, queue)).id);
    drafts.push({ ...draft, after });
  }
  const ids = await submitJobs(drafts, code, { queue, randomSeed });
  for (const [at, { note }] of all.entries())
    if (note !== undefined) await queue.annotate(ids[at] ?? '', 'description', note);
  return ids;
}

async function refuseUnknownCode(
  code: JobCode | undefined,
  { queue }: Pick<JobService, 'queue'>,
): Promise<void> {
  if (code?.type !== 'package' || (await queue.hasPackage(code.hash))) return;
  throw refused(
    `The queue has no package ${code.hash}.`,
    'Name the code of a job that is in the queue (/api/jobs/ID, "code"), or submit it with "nightmark job submit".',
  );
}
