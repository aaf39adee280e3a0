import type { CliContext } from '../../platform/cli/context.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { WorkEvent } from '../app/work-effects.ts';
import { type Job, shortId } from '../core/job.ts';

/** Tells what a worker does, a line each. */
export function workReporter({ stderr, clock }: CliContext): (event: WorkEvent) => void {
  let last = '';
  return (event) => {
    const line = describe(event);
    // A queue that is away is told once, not with every try.
    if (event.type === 'problem' && line === last) return;
    last = line;
    const { hour, minute, second } = clock.wall(clock.now());
    const time = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
    stderr.write(`${time} ${visible(line)}\n`);
  };
}

function describe(event: WorkEvent): string {
  switch (event.type) {
    case 'claimed':
      return `${nameOf(event.job)} claimed${rankText(event)}`;
    case 'resumed':
      return `${nameOf(event.job)} goes on where another worker left it`;
    case 'started':
      return `${nameOf(event.job)} runs in ${event.folder}`;
    case 'ended':
      return `${nameOf(event.job)}${rankText(event)} ${event.how}`;
    case 'requeued':
      return `${shortId(event.id)} lost its worker: ${event.becomes === 'CREATED' ? 'it waits again' : 'it failed'}`;
    case 'problem':
      return event.id === undefined ? event.message : `${shortId(event.id)}: ${event.message}`;
  }
}

function nameOf({ id, experiment, name }: Job): string {
  return `${shortId(id)} ${experiment}/${name}`;
}

function rankText({ job, rank }: { readonly job: Job; readonly rank: number }): string {
  return job.workers > 1 ? ` (rank ${rank} of ${job.workers})` : '';
}
