import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { TestPayload } from '../app/make-payloads.ts';
import type { ImportedPayloads } from '../app/transfer-payloads.ts';
import type { ExportReport } from '../core/exporter.ts';

const MAX_LINES = 40;

/** Payloads that may be stored, and how many may not. Of two tests with the same id the first is stored. */
export function splitPayloads(tests: readonly TestPayload[]): {
  readonly stored: readonly Payload[];
  readonly refused: number;
} {
  const byId = new Map<string, Payload>();
  for (const { payload, problems } of tests) {
    const id = payload.metadata.test_uuid;
    if (problems.length === 0 && !byId.has(id)) byId.set(id, payload);
  }
  return { stored: [...byId.values()], refused: tests.length - byId.size };
}

/** A line for each thing that is wrong with payloads and KPIs. */
export function describePayloadProblems(
  tests: readonly TestPayload[],
  failed: readonly { readonly location: string; readonly reason: string }[],
): string {
  const lines = failed.map(({ location, reason }) => `${location}: ${reason}`);
  const ids = new Map<string, string>();
  for (const { location, payload, values, problems } of tests) {
    const noValue = values.flatMap(({ problem }) => problem ?? []);
    // A missing value is reported once, with its reason.
    const others = problems.filter(
      ({ message, place }) => !(message === 'must not be null' && place.endsWith('.value')),
    );
    const wrong = others.map(({ place, message }) => `${place} ${message}`);
    const id = payload.metadata.test_uuid;
    const other = ids.get(id);
    if (other === undefined) ids.set(id, location);
    const twice = other === undefined ? [] : [`its test_uuid ${id} is that of ${other}`];
    lines.push(...[...noValue, ...wrong, ...twice].map((reason) => `${location}: ${reason}`));
  }
  const more = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).map((line) => `${visible(line)}\n`);
  return `${shown.join('')}${more > 0 ? `and ${more} more\n` : ''}`;
}

interface ExportedTo {
  readonly place: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

/** What was done, for stdout, and what went wrong, for stderr. */
export function describeExport(
  { sent, refused, steps }: ExportReport,
  { place, isDryRun, isJson }: ExportedTo,
): { readonly stdout: string; readonly stderr: string } {
  if (isJson) {
    const report = { place, dry_run: isDryRun, sent, refused, ...(isDryRun && { steps }) };
    return { stdout: `${JSON.stringify(report, null, 2)}\n`, stderr: '' };
  }
  const lines = refused.map(({ id, reason }) => `${id}: ${reason}`);
  const done = isDryRun ? steps : [`${counted(sent, 'payload')} sent to ${place}`];
  return { stdout: linesText(done), stderr: limitLines(lines) };
}

/** Documents that are not payloads, and notes. */
export function describeImport({ refused, notes }: ImportedPayloads): string {
  return limitLines([...refused.map(({ source, reason }) => `${source}: ${reason}`), ...notes]);
}

const MAX_LISTED = 40;

function limitLines(lines: readonly string[]): string {
  const more = lines.length - MAX_LISTED;
  return linesText([...lines.slice(0, MAX_LISTED), ...(more > 0 ? [`and ${more} more`] : [])]);
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join('');
}
