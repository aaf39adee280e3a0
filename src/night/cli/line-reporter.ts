import type { CliContext } from '../../platform/cli/command.ts';
import { describeEvent } from './describe-event.ts';
import type { Reporter } from './reporters.ts';

/** A line for each thing that happens, with the time: for logs and pipes. */
export function lineReporter({ stderr, clock }: CliContext): Reporter {
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
