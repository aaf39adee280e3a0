import type { Exit } from '../core/executor.ts';

/** How a process ended, as text; empty for an ordinary end. */
export function exitText(exit: Exit | undefined): string {
  switch (exit?.type) {
    case 'code':
      return exit.code === 0 ? '' : `exit ${exit.code}`;
    case 'signal':
      return `ended by ${exit.signal}${exit.reason === undefined ? '' : `: ${exit.reason}`}`;
    case 'timeout':
      return `ended after its time of ${exit.afterMs / 1000} s`;
    case 'cancelled':
      return exit.reason === undefined ? 'cancelled' : `cancelled: ${exit.reason}`;
    case 'not-started':
      return `could not be started: ${exit.reason}`;
    default:
      return '';
  }
}
