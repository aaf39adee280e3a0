import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { ImportedPayloads } from '../app/import-payloads.ts';
import type { ExportReport } from '../core/exporter.ts';

interface Exported {
  readonly place: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

/** What was done, for stdout, and what went wrong, for stderr. */
export function describeExport(
  { sent, refused, steps }: ExportReport,
  { place, isDryRun, isJson }: Exported,
): { readonly stdout: string; readonly stderr: string } {
  if (isJson) {
    const told = { place, dry_run: isDryRun, sent, refused, ...(isDryRun && { steps }) };
    return { stdout: `${JSON.stringify(told, null, 2)}\n`, stderr: '' };
  }
  const lines = refused.map(({ id, reason }) => `${id}: ${reason}`);
  const done = isDryRun ? steps : [`${counted(sent, 'payload')} sent to ${place}`];
  return { stdout: textOf(done), stderr: listed(lines) };
}

/** Documents that are no payloads, and notes. */
export function describeImport({ refused, notes }: ImportedPayloads): string {
  return listed([...refused.map(({ source, reason }) => `${source}: ${reason}`), ...notes]);
}

const MAX_LINES = 40;

function listed(lines: readonly string[]): string {
  const more = lines.length - MAX_LINES;
  return textOf([...lines.slice(0, MAX_LINES), ...(more > 0 ? [`and ${more} more`] : [])]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('');
}
