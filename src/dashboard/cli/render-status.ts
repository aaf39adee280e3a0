import pc from 'picocolors';
import { changeText } from '../../judge/core/changes/change-text.ts';
import { counted, formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { HomeStatus, NightDetail, NightSummary, TaskStatus } from '../app/show-status.ts';

type Colors = ReturnType<typeof pc.createColors>;

/** A home with a thousand experiments still fits a screen; --json has them all. */
const MAX_ROWS = 40;
const MAX_MESSAGE = 400;

/** The answer first, then what failed and why, then the tasks, then the nights before. */
export function renderStatus(status: HomeStatus, hasColor: boolean): string {
  const colors = pc.createColors(hasColor);
  const { last } = status;
  const others = otherLines(status, colors);
  const blocks = [
    last ? headline(last, colors) : others || `No night has run in ${visible(status.home)} yet.`,
    last ? failures(last, colors) : '',
    regressionLines(status, colors),
    machineLines(status, colors),
    unknownLine(status),
    last ? taskTable(last, colors) : '',
    nightStrip(status, colors),
    last ? others : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** One sentence on one night. */
function headline(night: NightSummary, colors: Colors): string {
  const label = colors.bold(visible(night.label));
  const duration = night.durationMs === undefined ? '' : `, ${plainly(formatDuration(night.durationMs))}`;
  const { succeeded, failed, skipped, total } = night.experiments;
  if (night.state === 'running') {
    return `A night is running, ${label}: ${succeeded + failed + skipped} of ${total} experiments done${failedPart(failed, colors)}${duration}`;
  }
  const outcome =
    total === 0
      ? 'no experiment was active'
      : `${succeeded} of ${plural(total, 'experiment')} succeeded${failedPart(failed, colors)}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const subsystems = night.subsystems.failed;
  const rest = subsystems > 0 ? `, ${colors.red(`${plural(subsystems, 'subsystem')} failed`)}` : '';
  if (night.state === 'interrupted') {
    return `Last night ${label} was interrupted: ${outcome}${rest}${duration}\n  Finish it: nightmark run --resume`;
  }
  const origin = night.origin === 'measured' ? '' : ` (${night.origin} data)`;
  return `Last night ${label}: ${outcome}${rest}${duration}${origin}`;
}

function failedPart(failed: number, colors: Colors): string {
  return failed > 0 ? `, ${colors.red(`${failed} failed`)}` : '';
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function failures({ tasks, warnings }: NightDetail, colors: Colors): string {
  const failed = tasks.filter(({ state }) => state === 'failed');
  const lines = failed.slice(0, MAX_ROWS).flatMap((task) => {
    const stage = task.failedStage === undefined ? '' : ` at ${task.failedStage}`;
    const log = task.log === undefined ? [] : [`      ${colors.dim(visible(task.log))}`];
    return [`  ${colors.red('✗')} ${nameOf(task)}${stage}: ${cut(visible(task.message))}`, ...log];
  });
  const notes = warnings
    .slice(0, MAX_ROWS)
    .map((warning) => `  ${colors.yellow('!')} ${cut(visible(warning))}`);
  return [...lines, ...more(failed.length), ...notes, ...more(warnings.length)].join('\n');
}

const MAX_REGRESSIONS = 5;

function regressionLines({ regressions = [] }: HomeStatus, colors: Colors): string {
  if (regressions.length === 0) return '';
  const lines = regressions
    .slice(0, MAX_REGRESSIONS)
    .map((change) => `  ${colors.red('▲')} ${change.id}  ${changeText(change)}`);
  const left = regressions.length - MAX_REGRESSIONS;
  if (left > 0) lines.push(`  and ${left} more: nightmark changes --state open --worse`);
  return [`${plural(regressions.length, 'open regression')}`, ...lines].join('\n');
}

function machineLines({ machines = [] }: HomeStatus, colors: Colors): string {
  return machines
    .slice(0, MAX_REGRESSIONS)
    .map((change) => `${colors.yellow('!')} ${change.id}  ${changeText(change)}`)
    .join('\n');
}

function unknownLine({ unknown = [] }: HomeStatus): string {
  if (unknown.length === 0) return '';
  return `${plural(unknown.length, 'open change')}, better or worse is unknown: nightmark changes --state open`;
}

/** Where results come from that no night measured. */
function otherLines({ imports, kpis }: HomeStatus, colors: Colors): string {
  const lines: string[] = [];
  if (imports) {
    const { last, experiments, series } = imports;
    const label = colors.bold(visible(last.label));
    const message = last.message === '' ? '' : `, ${cut(visible(last.message))}`;
    const count = `${imports.isCut ? 'more than ' : ''}${plural(imports.imports, 'import')}`;
    lines.push(`Last import ${label} of ${visible(last.experiment)}${message}`);
    lines.push(
      `  ${plainly(`${count}, ${counted(series, 'series', 'series')} of ${plural(experiments, 'experiment')}`)}`,
    );
  }
  if (kpis) {
    const day = kpis.lastAt === undefined ? 'unknown' : new Date(kpis.lastAt).toISOString().slice(0, 10);
    lines.push(`KPIs: ${plainly(counted(kpis.series, 'series', 'series'))}, last test ${day}`);
  }
  return lines.join('\n');
}

function taskTable({ tasks }: NightDetail, colors: Colors): string {
  const shown = tasks.slice(0, MAX_ROWS);
  const width = Math.max(0, ...shown.map((task) => nameOf(task).length));
  const rows = shown.map((task) => {
    const duration = task.durationMs === undefined ? '' : plainly(formatDuration(task.durationMs));
    return `  ${mark(task, colors)} ${nameOf(task).padEnd(width)}  ${task.state.padEnd(9)}  ${duration}`.trimEnd();
  });
  return [...rows, ...more(tasks.length)].join('\n');
}

function nightStrip({ nights, runs }: HomeStatus, colors: Colors): string {
  const shown = nights.slice(0, Math.max(nights.length, 0));
  const rows = shown.map((night) => {
    const { succeeded, failed, total } = night.experiments;
    const state = night.state === 'finished' ? '' : night.state;
    const duration = night.durationMs === undefined ? '' : plainly(formatDuration(night.durationMs));
    const isGood = failed === 0 && night.subsystems.failed === 0 && night.state === 'finished';
    const sign = night.state === 'running' ? colors.dim('…') : isGood ? colors.green('✓') : colors.red('✗');
    const columns = [
      visible(night.label).padEnd(17),
      `${succeeded}/${total}`.padStart(9),
      duration.padStart(12),
    ];
    return `  ${sign} ${columns.join('  ')}  ${state}`.trimEnd();
  });
  return rows.length === 0 ? '' : [`Last ${plural(rows.length, 'night')} of ${runs}`, ...rows].join('\n');
}

function mark({ state }: TaskStatus, colors: Colors): string {
  if (state === 'succeeded') return colors.green('✓');
  if (state === 'failed') return colors.red('✗');
  return colors.dim(state === 'running' ? '…' : '-');
}

function nameOf({ task, kind }: TaskStatus): string {
  return kind === 'subsystem' ? `${visible(task)} (subsystem)` : visible(task);
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)} [...]` : text;
}

function more(count: number): readonly string[] {
  return count > MAX_ROWS ? [`  and ${count - MAX_ROWS} more: nightmark status --json`] : [];
}
