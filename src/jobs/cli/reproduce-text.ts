import { shellQuote } from '../../platform/core/text/shell-quote.ts';
import { visible } from '../../platform/core/text/visible.ts';
import { type Job, programText, shortId } from '../core/job.ts';

/** Commands that run it again: by us, or by hand from its repository. */
export function reproduceLines(job: Job): readonly string[] {
  const again = `nightmark job rerun ${shortId(job.id)}`;
  const { git } = job;
  if (git?.remote === undefined) return [again];
  const note = git.isDirty ? '   # and the changes that were not committed: git.diff of --json' : '';
  return [
    again,
    `git clone ${visible(shellQuote(git.remote))} code && cd code && git checkout ${visible(git.commit)}${note}`,
    ...(job.program.type === 'command' ? [visible(programText(job.program))] : []),
  ];
}
