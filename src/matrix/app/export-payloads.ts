import type { Payload } from '../../formats/core/kpi/kpi.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Exporter, ExportReport, ExportTarget } from '../core/exporter.ts';

interface Export {
  readonly payloads: readonly Payload[];
  readonly exporter: Exporter;
  readonly target: ExportTarget;
}

/** Sends payloads. Of two with one id the first is sent: which of them was there last would depend on the target. */
export async function exportPayloads(
  { payloads, exporter, target }: Export,
  signal: CancelSignal,
): Promise<ExportReport> {
  const byId = new Map<string, Payload>();
  const twice: { readonly id: string; readonly reason: string }[] = [];
  for (const payload of payloads) {
    const id = payload.metadata.test_uuid;
    const known = byId.get(id);
    if (known === undefined) byId.set(id, payload);
    // The same document twice is one document.
    else if (JSON.stringify(known) !== JSON.stringify(payload))
      twice.push({ id, reason: 'another payload has this test_uuid' });
  }
  const report = await exporter.export([...byId.values()], target, signal);
  return { ...report, refused: [...twice, ...report.refused] };
}
