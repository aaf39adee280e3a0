import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { kpisWithoutValue } from '../../formats/core/kpi/read-payload.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Exporter, ExportReport, ExportTarget, RefusedDocument } from '../core/exporter.ts';
import { type Filters, passesFilters } from '../core/filters.ts';

interface Export {
  readonly payloads: readonly Payload[];
  readonly exporter: Exporter;
  readonly target: ExportTarget;
}

/** Sends payloads. Of two with the same id the first is sent, and the second refused. */
export async function exportPayloads(
  { payloads, exporter, target }: Export,
  signal: CancelSignal,
): Promise<ExportReport> {
  const byId = new Map<string, Payload>();
  const duplicates: { readonly id: string; readonly reason: string }[] = [];
  for (const payload of payloads) {
    const id = payload.metadata.test_uuid;
    const first = byId.get(id);
    if (first === undefined) byId.set(id, payload);
    // The same document twice is not a problem.
    else if (JSON.stringify(first) !== JSON.stringify(payload))
      duplicates.push({ id, reason: 'another payload has this test_uuid' });
  }
  const report = await exporter.export([...byId.values()], target, signal);
  return { ...report, refused: [...duplicates, ...report.refused] };
}

export interface ImportRequest {
  readonly exporter: Exporter;
  readonly target: ExportTarget;
  /** Compared with labels, and @timestamp with the start of the test. */
  readonly filters: Filters;
  /** Absent: all. */
  readonly maxRecords?: number;
}

export interface ImportedPayloads {
  /** Sorted by start, then by id: the order of the source does not matter. */
  readonly payloads: readonly Payload[];
  readonly refused: readonly RefusedDocument[];
  /** What is unusual, but usable. */
  readonly notes: readonly string[];
}

/** Reads payloads that were exported, here or by other programs. Other documents are reported as refused. */
export async function importPayloads(
  { exporter, target, filters, maxRecords = Number.POSITIVE_INFINITY }: ImportRequest,
  signal: CancelSignal,
): Promise<ImportedPayloads> {
  if (!exporter.import) {
    throw new NightmarkError('EXPORT_NO_IMPORT', `Payloads cannot be read back from ${exporter.id}.`, {
      hint: 'It does not keep all of a payload; see docs/guide/matrix-export.md.',
    });
  }
  const payloads: Payload[] = [];
  const refused: RefusedDocument[] = [];
  const notes: string[] = [];
  for await (const document of exporter.import(target, signal)) {
    if (signal.aborted) throw new NightmarkError('EXPORT_INTERRUPTED', 'Reading payloads was interrupted.');
    if ('reason' in document) refused.push(document);
    else if (isWanted(document.payload, filters)) {
      payloads.push(document.payload);
      const lacking = kpisWithoutValue(document.payload);
      notes.push(
        ...lacking.map((name) => `${document.source}: ${name} has no value, and is left out of histories`),
      );
      if (payloads.length >= maxRecords) break;
    }
  }
  return { payloads: payloads.sort(byStart), refused, notes };
}

function isWanted({ metadata }: Payload, filters: Filters): boolean {
  return passesFilters({ '@timestamp': metadata.start ?? null, ...metadata.settings }, filters);
}

function byStart({ metadata: a }: Payload, { metadata: b }: Payload): number {
  const [start, other] = [String(a.start), String(b.start)];
  if (start !== other) return start < other ? -1 : 1;
  return a.test_uuid < b.test_uuid ? -1 : 1;
}
