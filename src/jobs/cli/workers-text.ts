import pc from 'picocolors';
import type { Output } from '../../platform/cli/context.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { Job, JobRank } from '../core/job.ts';
import { hasEnded, UNRESPONSIVE_AFTER_MS } from '../core/shown-job.ts';
import { briefDuration } from './job-times.ts';
import { textTable } from './text-table.ts';

const SIGN = 3;

/** Who works on it, and when they last gave a sign; one that was silent for too long is red. */
export function workerLines(job: Job, now: number, { hasColor }: Output): readonly string[] {
  const colors = pc.createColors(hasColor);
  const isSilent = (rank: JobRank) =>
    !hasEnded(job.status) && rank.isDone !== true && now - rank.heartbeatAt > UNRESPONSIVE_AFTER_MS;
  const rows = job.ranks.map((rank) => [
    String(rank.rank).padStart(2, '0'),
    visible(`${rank.host} @ ${rank.pid}`),
    visible(rank.ref ?? ''),
    signText(job, rank, now) + (isSilent(rank) ? ' (silent)' : ''),
  ]);
  return textTable(rows, {
    paint: (cell, row, column) => {
      const rank = job.ranks[row];
      return column === SIGN && rank && isSilent(rank) ? colors.red(cell) : cell;
    },
  });
}

function signText({ status }: Job, { heartbeatAt, isDone }: JobRank, now: number): string {
  if (isDone || hasEnded(status)) return 'done';
  return `heartbeat ${briefDuration(now - heartbeatAt)} ago`;
}
