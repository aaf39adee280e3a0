import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import type { MatrixEvent } from '../app/run-effects.ts';
import { followFile } from './follow-file.ts';
import { describeMatrixEvent } from './run-text.ts';

export interface MatrixReporter {
  readonly show: (event: MatrixEvent) => void;
  end(): void;
}

/** A line for each test; on a terminal, where one runs at a time, also what it prints. */
export function matrixReporter(context: CliContext, jobs: number): MatrixReporter {
  const { stderr } = context;
  const colors = pc.createColors(stderr.hasColor);
  let following: ReturnType<typeof followFile> | undefined;
  const told = new Set<string>();
  const isLive = stderr.isTerminal && jobs === 1;
  return {
    show(event) {
      if (event.type === 'started' && isLive) {
        stderr.write(`${colors.dim(event.folder)}\n`);
        following = followFile(event.logFile, (text) => stderr.write(text));
      }
      if (event.type === 'finished') {
        following?.end();
        following = undefined;
      }
      const line = describeMatrixEvent(event);
      if (line === undefined) return;
      // What is missing for each test is told once.
      if (event.type === 'warning' && told.size === told.add(line).size) return;
      const hasFailed = event.type === 'finished' && event.result.state === 'failed';
      stderr.write(`${hasFailed ? colors.red(line) : line}\n`);
    },
    end() {
      following?.end();
    },
  };
}
