import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { describeEvent } from './describe-event.ts';
import type { Reporter } from './reporters.ts';

/** Finished things scroll up; the last line shows what runs now, for how long, and how much is left. */
export function liveReporter({ stderr, clock }: CliContext): Reporter {
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
