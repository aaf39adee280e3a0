import type { Exit } from '../../executors/core/executor.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';

/** How a command ended, as the end of a sentence. */
export function describeExit(exit: Exit): string {
  switch (exit.type) {
    case 'code':
      return `ended with exit code ${exit.code}`;
    case 'signal':
      return `was ended by ${exit.signal}`;
    case 'timeout':
      return `was stopped after ${plainly(formatDuration(exit.afterMs))}`;
    case 'cancelled':
      return 'was cancelled';
    case 'not-started':
      return `could not be started: ${exit.reason}`;
  }
}
