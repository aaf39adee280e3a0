import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { asPayload } from '../../formats/core/kpi/read-payload.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';

/**
 * Sends payloads to another system and reads them back. Contract (test/contracts/exporters.test.ts):
 * 1. Exporting the same payloads again changes nothing there: a document with the same id is kept or replaced.
 * 2. What was exported is read back equal, where `canImport`; a target that keeps less declares it.
 * 3. A dry run reports what would be sent, and sends nothing.
 * 4. A refused payload is reported with the reason; the others are sent.
 * 5. A target that cannot be reached, or that refuses our credentials, is a NightmarkError (EXPORT_...) that names the
 *    address without its secrets; certificates are checked unless the user turned that off.
 * 6. A document that cannot be read is reported as refused, with the reason; the others are read.
 */
export interface Exporter {
  readonly id: string;
  readonly title: string;
  readonly canImport: boolean;
  export(payloads: readonly Payload[], target: ExportTarget, signal: CancelSignal): Promise<ExportReport>;
  import?(target: ExportTarget, signal: CancelSignal): AsyncIterable<ReadDocument>;
}

export interface ExportTarget {
  /** Address, folder or file, depending on the exporter. */
  readonly place: string;
  /** Other options of this exporter, by name. */
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly isDryRun: boolean;
}

export interface ExportReport {
  readonly sent: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
  /** What was done, or in a dry run would be; one line each. */
  readonly steps: readonly string[];
}

export interface ImportedPayload {
  readonly id: string;
  readonly payload: Payload;
  readonly source: string;
}

/** A document that is not a payload. */
export interface RefusedDocument {
  readonly source: string;
  readonly reason: string;
}

export type ReadDocument = ImportedPayload | RefusedDocument;

/** Checks a document that was read: a payload, or the reason why it is not one. */
export function readDocument(document: JsonValue | undefined, source: string): ReadDocument {
  const found = asPayload(document);
  if ('reason' in found) return { source, reason: found.reason };
  return { id: found.payload.metadata.test_uuid, payload: found.payload, source };
}
