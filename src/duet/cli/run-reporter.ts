import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/context.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { DuetRunEvent } from '../app/run-effects.ts';
import { describePlanned, describeRunEvent, type LogLine } from './describe-run-event.ts';

export interface RunReporter {
  show(event: DuetRunEvent): void;
  log(line: LogLine): void;
  end(): void;
}

/** The log on stderr; on a terminal without the steps of each run, but with a last line that tells where it is. */
export function runReporter(context: CliContext): RunReporter {
  return context.stderr.isTerminal ? liveReporter(context) : lineReporter(context);
}

function lineReporter({ stderr, clock }: CliContext): RunReporter {
  const log = (line: LogLine) => stderr.write(`${formatLine(line, clock.wall(clock.now()))}\n`);
  return { show: (event) => describeRunEvent(event).forEach(log), log, end() {} };
}

/** Terminals without a size say 0. */
const MIN_COLUMNS = 40;

type RunStarted = Extract<DuetRunEvent, { type: 'run-started' }>;

function liveReporter({ stderr, clock }: CliContext): RunReporter {
  const colors = pc.createColors(stderr.hasColor);
  let now: RunStarted | undefined;
  let hasEnded = false;
  const draw = () => {
    if (!now) return;
    const { index, total, run, at, leftMs } = now;
    const elapsed = clock.now() - at;
    const left = leftMs === undefined ? '' : `, about ${duration(Math.max(0, leftMs - elapsed))} left`;
    const text = `[${index + 1}/${total}] ${visible(describePlanned(run))} ${duration(elapsed)}${left}`;
    stderr.write(`\r\u001b[K${colors.cyan(text.slice(0, Math.max(MIN_COLUMNS, stderr.columns - 1)))}`);
  };
  const timer = setInterval(draw, 200);
  timer.unref();
  const log = (line: LogLine) => {
    const text = formatLine(line, clock.wall(clock.now()));
    const paint = { I: colors.dim, W: colors.yellow, E: colors.red }[line.level];
    stderr.write(`\r\u001b[K${paint(text)}\n`);
  };
  return {
    show(event) {
      if (event.type === 'run-started') now = event;
      else if (event.type === 'run-ended') {
        const { run, outcome, startedAt, endedAt } = event.record;
        const mark = outcome === 'done' ? colors.green('✓') : colors.red('✕');
        const text = `${visible(describePlanned(run))} ${outcome} ${duration(endedAt - startedAt)}`;
        stderr.write(`\r\u001b[K${mark} ${text}\n`);
        now = undefined;
      } else if (event.type !== 'step') describeRunEvent(event).forEach(log);
      draw();
    },
    log,
    end() {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(timer);
      now = undefined;
      stderr.write('\r\u001b[K');
    },
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "Nov 15 19:05:57 <logger padded to 35> I  message", as the original writes it. */
function formatLine(
  { logger, level, text }: LogLine,
  { month, day, hour, minute, second }: ReturnType<CliContext['clock']['wall']>,
): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${MONTHS[month - 1]} ${two(day)} ${[hour, minute, second].map(two).join(':')}`;
  return `${time} ${visible(logger).padEnd(35)} ${level}  ${text}`;
}

function duration(ms: number): string {
  return plainly(formatDuration(ms));
}
