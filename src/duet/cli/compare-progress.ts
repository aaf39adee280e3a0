import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import type { CompareEvent } from '../app/compare-request.ts';

export interface CompareProgress {
  begin(title: string): void;
  show(event: CompareEvent): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

/** One line that is drawn anew on a terminal, a line a comparison elsewhere. Drawn between pairs only: a timer would disturb. */
export function compareProgress({ stderr, clock }: CliContext, isQuiet: boolean): CompareProgress {
  if (isQuiet) return { begin() {}, show() {}, end() {} };
  if (!stderr.isTerminal) return { begin: (title) => stderr.write(`${title}\n`), show() {}, end() {} };
  const colors = pc.createColors(stderr.hasColor);
  let title = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let count = 0;
  const draw = (text: string, isFirst: boolean) => {
    // Ten times a second is enough for eyes.
    if (!isFirst && clock.now() - drawnAt < 100) return;
    drawnAt = clock.now();
    stderr.write(`\r\u001b[K${colors.cyan(`${text} ${title}`.slice(0, stderr.columns - 1))}`);
  };
  return {
    begin(text) {
      title = text;
      sum = 0;
      count = 0;
      draw(bar(0, 1), true);
    },
    show(event) {
      if (event.type === 'warming-up') {
        draw(`${bar(0, 1)} warm-up ${event.done + 1}/${event.of}`, false);
        return;
      }
      if (event.logRatio !== undefined) {
        sum += event.logRatio;
        count++;
      }
      const ratio = count > 0 ? ` ratio ${Math.exp(sum / count).toFixed(3)}` : '';
      const { done, planned } = event;
      draw(`${bar(done, planned)} ${done}/${planned}${ratio}`, done === planned);
    },
    end: () => stderr.write('\r\u001b[K'),
  };
}

function bar(done: number, total: number): string {
  const width = 20;
  const filled = Math.min(width, Math.round((width * done) / Math.max(1, total)));
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}
