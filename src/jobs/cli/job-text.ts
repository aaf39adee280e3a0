import pc from 'picocolors';
import type { Output } from '../../platform/cli/command.ts';
import { cut, textTable } from '../../platform/cli/text-table.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type Job, type JobRank, shortId } from '../core/job.ts';
import {
  hasEnded,
  jobDurationMs,
  jobProgress,
  type ShownStatus,
  shownStatus,
  UNRESPONSIVE_AFTER_MS,
} from '../core/shown-job.ts';

type Colors = ReturnType<typeof pc.createColors>;

const HEAD = ['id', 'user', 'job', 'status', 'progress', 'age', 'ran', 'host', ''];
const STATUS = 3;
const SHORTEST_NAME = 20;
const LONGEST_CELL = 40;
const BAR = 8;

export interface ListRow {
  readonly cells: readonly string[];
  readonly status: ShownStatus;
}

export function listRow(job: Job, now: number): ListRow {
  return { cells: cellsOf(job, now), status: shownStatus(job, now) };
}

/** A line for each job. On a terminal the names give way where it is too narrow. */
export function listTable(jobs: readonly ListRow[], output: Output): readonly string[] {
  const colors = pc.createColors(output.hasColor);
  const rows = [HEAD, ...jobs.map(({ cells }) => cells)];
  const fitted = output.isTerminal ? fit(rows, output.columns) : rows;
  return textTable(fitted, {
    isRight: [false, false, false, false, false, true, true],
    paint: (text, row, column) => {
      if (row === 0) return colors.dim(text);
      const job = jobs[row - 1];
      return column === STATUS && job ? paintStatus(text, job.status, colors) : text;
    },
  });
}

export function paintStatus(text: string, status: ShownStatus, colors: Colors): string {
  if (status === 'FAILED' || status === 'UNRESPONSIVE') return colors.red(text);
  if (status === 'RUNNING') return colors.cyan(text);
  if (status === 'FINISHED') return colors.green(text);
  return status === 'CANCELED' ? colors.yellow(text) : text;
}

function cellsOf(job: Job, now: number): readonly string[] {
  const duration = jobDurationMs(job, now);
  return [
    shortId(job.id),
    cut(visible(job.user), LONGEST_CELL),
    jobTitle(job),
    shownStatus(job, now),
    progressText(job),
    briefDuration(now - job.createdAt),
    duration === undefined ? '' : briefDuration(duration),
    cut(visible(job.host ?? ''), LONGEST_CELL),
    marksOf(job),
  ];
}

/** A bar while it runs; how far it came when it did not finish. */
function progressText(job: Job): string {
  const progress = jobProgress(job);
  if (progress === undefined || job.status === 'FINISHED') return '';
  const percent = `${Math.floor(progress * 100)}%`;
  if (hasEnded(job.status)) return percent;
  const full = Math.round(progress * BAR);
  return `${'#'.repeat(full)}${'.'.repeat(BAR - full)} ${percent}`;
}

function marksOf({ annotations, attempt }: Job): string {
  const has = (key: string) =>
    Object.hasOwn(annotations, key) && annotations[key] !== false && annotations[key] !== '';
  return [
    has('star') ? '★' : '',
    has('bug') ? 'bug' : '',
    has('note') || has('description') ? 'note' : '',
    attempt > 1 ? `attempt ${attempt}` : '',
  ]
    .filter((mark) => mark !== '')
    .join(' ');
}

function fit(rows: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  const width = (at: number) => rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 0);
  const others = HEAD.reduce((sum, _, at) => sum + (at === 2 ? 0 : width(at)), 0) + 2 * (HEAD.length - 1);
  const room = Math.max(SHORTEST_NAME, columns - others);
  return rows.map((row) => row.map((cell, at) => (at === 2 ? cut(cell, room) : cell)));
}

const HEARTBEAT_COLUMN = 3;

/** Who works on it, and when they last gave a sign; one that was silent for too long is red. */
export function workerLines(job: Job, now: number, { hasColor }: Output): readonly string[] {
  const colors = pc.createColors(hasColor);
  const isSilent = (rank: JobRank) =>
    !hasEnded(job.status) && rank.isDone !== true && now - rank.heartbeatAt > UNRESPONSIVE_AFTER_MS;
  const rows = job.ranks.map((rank) => [
    String(rank.rank).padStart(2, '0'),
    visible(`${rank.host} @ ${rank.pid}`),
    visible(rank.ref ?? ''),
    heartbeatText(job, rank, now) + (isSilent(rank) ? ' (silent)' : ''),
  ]);
  return textTable(rows, {
    paint: (cell, row, column) => {
      const rank = job.ranks[row];
      return column === HEARTBEAT_COLUMN && rank && isSilent(rank) ? colors.red(cell) : cell;
    },
  });
}

function heartbeatText({ status }: Job, { heartbeatAt, isDone }: JobRank, now: number): string {
  if (isDone || hasEnded(status)) return 'done';
  return `heartbeat ${briefDuration(now - heartbeatAt)} ago`;
}

/** `2026-11-16 07:38:01`, on the clock on the wall. */
export function timeText(at: number, clock: Pick<Clock, 'wall'>): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return String(at);
  const { year, month, day, hour, minute, second } = clock.wall(at);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** One word for a column: `12s`, `5m`, `3h`, `2d`. */
function briefDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 100 * 60) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 72 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

export function jobTitle({ project, experiment, name }: Job): string {
  return visible(`${project}/${experiment}/${name}`);
}

/** `3f9a1c vision/baseline/train -- RUNNING`. */
export function jobLine(job: Job, now: number): string {
  return `${shortId(job.id)} ${jobTitle(job)} -- ${shownStatus(job, now)}`;
}
