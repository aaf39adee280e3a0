import type { CliContext } from '../../platform/cli/command.ts';
import { asctime } from '../../platform/core/text/times.ts';
import type { Reporter } from './reporters.ts';

/** The messages of the original dashboard on stdout, for those whose log readers look for them. */
export function boxReporter({ stdout, clock }: CliContext): Reporter {
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
