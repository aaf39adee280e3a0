import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { NightEvent } from '../app/events.ts';
import { boxReporter } from './box-reporter.ts';
import { lineReporter } from './line-reporter.ts';
import { liveReporter } from './live-reporter.ts';

export interface Reporter {
  show(event: NightEvent): void;
  /** Leaves the terminal as it should be; called however the night ends. */
  end(): void;
}

const KINDS = ['auto', 'live', 'lines', 'boxes', 'none'] as const;

/** Progress: live on a terminal, plain lines elsewhere, or what was asked for. */
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
