import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { asctime } from '../../platform/core/text/times.ts';
import type { NightEvent } from '../app/night-effects.ts';
import { describeEvent } from './describe-night.ts';

export interface Reporter {
  show(event: NightEvent): void;
  /** Leaves the terminal as it should be; called however the night ends. */
  end(): void;
}

const KINDS = ['auto', 'live', 'lines', 'boxes', 'none'] as const;

/** Progress: live on a terminal, plain lines elsewhere, or as --progress says. */
export function makeReporter(kind: string, context: CliContext): Reporter {
  switch (kind) {
    case 'auto':
      return context.stderr.isTerminal ? liveReporter(context) : lineReporter(context);
    case 'live':
      return liveReporter(context);
    case 'lines':
      return lineReporter(context);
    case 'boxes':
      return boxReporter(context);
    case 'none':
      return { show() {}, end() {} };
    default:
      throw new NightmarkError('CLI_INVALID_OPTION', `--progress cannot be "${kind}".`, {
        hint: `One of: ${KINDS.join(', ')}.`,
      });
  }
}

/** A line for each thing that happens, with the time: for logs and pipes. */
function lineReporter({ stderr, clock }: CliContext): Reporter {
  return {
    show(event) {
      const { hour, minute, second } = clock.wall(clock.now());
      const time = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':');
      const text = describeEvent(event);
      if (text !== undefined) stderr.write(`${time} ${text}\n`);
    },
    end() {},
  };
}

/** Finished things scroll up; the last line shows what runs now, for how long, and how much is left. */
function liveReporter({ stderr, clock }: CliContext): Reporter {
  const colors = pc.createColors(stderr.hasColor);
  let now: { readonly task: string; readonly stage: string; readonly at: number } | undefined;
  let total = 0;
  let done = 0;
  const draw = () => {
    if (!now) return;
    const elapsed = plainly(formatDuration(clock.now() - now.at));
    const bar = progressBar(done, total);
    const line = `${bar} ${visible(now.task)}: ${now.stage} ${elapsed}`;
    stderr.write(`\r\u001b[K${colors.cyan(line.slice(0, stderr.columns - 1))}`);
  };
  const timer = setInterval(draw, 200);
  timer.unref();
  const print = (text: string) => stderr.write(`\r\u001b[K${text}\n`);

  return {
    show(event) {
      if (event.type === 'night-started') total = event.stages;
      if (event.type === 'stage-started') now = event;
      const text = describeEvent(event);
      if (event.type === 'stage-finished' && event.result.stage !== 'precheck') {
        done++;
        now = undefined;
      }
      if (text !== undefined) print(paint(text, event.type, colors));
      draw();
    },
    end() {
      clearInterval(timer);
      stderr.write('\r\u001b[K');
    },
  };
}

function paint(text: string, type: string, colors: ReturnType<typeof pc.createColors>): string {
  if (type === 'warning') return colors.yellow(text);
  if (type !== 'stage-finished') return colors.dim(text);
  return text.includes(' FAILED') ? `${colors.red('✕')} ${text}` : `${colors.green('✓')} ${text}`;
}

function progressBar(done: number, total: number): string {
  const width = 20;
  const filled = Math.min(width, Math.round((width * done) / Math.max(1, total)));
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}

/** The messages of the original dashboard on stdout, for programs that parse its logs. */
function boxReporter({ stdout, clock }: CliContext): Reporter {
  return {
    show(event) {
      if (event.type === 'stage-started' && event.kind === 'experiment' && event.stage === 'run') {
        stdout.write(box([`Experiment ${event.task} starts @ ${asctime(clock.wall(event.at))}`]));
      }
      if (event.type !== 'stage-finished') return;
      const { task, kind, stage, success, message, extra } = event.result;
      if (kind !== 'experiment' || stage !== 'run') return;
      stdout.write(
        success
          ? box([`Experiment ${task} ends @ ${extra['end_time']}`, `Time Delta: ${extra['time_delta']}`])
          : box([`*** ${task} FAILED ***`, `*** Reason: ${message} ***`]),
      );
    },
    end() {},
  };
}

function box(lines: readonly string[]): string {
  const frame = '*'.repeat(
    Math.max(
      ...lines
        .join('\n')
        .split('\n')
        .map((line) => line.length),
    ) + 4,
  );
  return `${[frame, ...lines, frame].join('\n')}\n`;
}
