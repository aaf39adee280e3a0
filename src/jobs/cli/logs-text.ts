import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { JobLogEntry } from '../core/job.ts';
import { momentText } from './job-times.ts';

/** `NN time message`; what came from stderr is red, or has an E where there is no colour. Several lines for several. */
export function logLines(
  { worker, type, message, time }: JobLogEntry,
  prefix: string,
  { stdout, clock }: CliContext,
): string {
  const colors = pc.createColors(stdout.hasColor);
  const isError = type === 'error';
  const head = `${prefix}${String(worker).padStart(2, '0')} ${momentText(time, clock)} `;
  const mark = isError && !stdout.hasColor ? 'E ' : '';
  return message
    .split(/\r\n|\n/)
    .map((line) => {
      const shown = plain(line);
      return `${head}${mark}${isError ? colors.red(shown) : shown}\n`;
    })
    .join('');
}

/** Colours of a program would run into ours; a progress bar shows its last state; all else is made visible. */
function plain(line: string): string {
  const last = line.replace(/\r+$/, '').split('\r').at(-1) ?? '';
  return visible(last.replace(COLORS, '').replaceAll('\t', '    '));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with ESC
const COLORS = /\u001b\[[0-9;:]*m/g;
