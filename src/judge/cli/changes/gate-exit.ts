import { type CliContext, EXIT, type ExitCode, flag, type Options } from '../../../platform/cli/command.ts';
import { type Gate, gateLines } from '../../core/changes/gate.ts';

export const ALLOW_UNKNOWN = [
  '--allow-unknown',
  'pass where it is unknown whether a change is for the worse (otherwise exit code 2)',
] as const;

export const OR_LIKELY = [
  '--or-likely',
  'exit code 3 also for what is only probably worse by more than min-effect',
] as const;

/** The exit code of a gate; says what is missing where it could not judge. */
export function gateExit(
  gate: Gate,
  home: string | undefined,
  { options, context }: { readonly options: Options; readonly context: Pick<CliContext, 'stderr'> },
): ExitCode {
  if (gate.state === 'regression') return EXIT.regression;
  if (gate.state === 'passed' || flag(options, 'allowUnknown')) return EXIT.fine;
  context.stderr.write(`${gateLines(gate, home).join('\n')}\n`);
  return EXIT.unknown;
}
