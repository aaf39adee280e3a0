import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { shownUrl } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { Exporter } from '../../../core/exporter.ts';
import { accessOf, addressOf, requiredName } from '../access.ts';
import { ask, type ExportAccess, type ExportAnswer, unexpectedAnswer } from '../ask.ts';
import { payloadLines } from './line-protocol.ts';
import { readBack } from './read-back.ts';

/** InfluxDB 1.x, and 2.x through its compatible /write. */
const influx: Exporter = {
  id: 'influx',
  title: 'InfluxDB (line protocol)',
  canImport: true,
  async export(payloads, target, signal) {
    const database = requiredName(target, 'database');
    const url = new URL('write', addressOf(target));
    url.search = new URLSearchParams({ db: database, precision: 'ns' }).toString();
    const { ready, refused } = linesOf(payloads);
    const steps = ready.flatMap(({ lines }) => lines);
    if (target.isDryRun) return { sent: 0, refused, steps };
    const place = { url, database, access: await accessOf(target, 'Token'), signal };
    for (let at = 0; at < ready.length; at += BATCH) {
      refused.push(...(await send(ready.slice(at, at + BATCH), place)));
    }
    return { sent: payloads.length - refused.length, refused, steps };
  },
  import: readBack,
};

/** Payloads at a time; the server advises some thousands of points. */
const BATCH = 500;

interface Lines {
  readonly id: string;
  readonly lines: readonly string[];
}

interface Place {
  readonly url: URL;
  readonly database: string;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

interface Refused {
  readonly id: string;
  readonly reason: string;
}

function linesOf(payloads: readonly Payload[]): {
  readonly ready: readonly Lines[];
  readonly refused: Refused[];
} {
  const ready: Lines[] = [];
  const refused: Refused[] = [];
  for (const payload of payloads) {
    const id = payload.metadata.test_uuid;
    try {
      const lines = payloadLines(payload);
      if (lines.length === 0)
        refused.push({
          id,
          reason: `none of its KPIs has a value, and metadata.start is "${payload.metadata.start}"`,
        });
      else ready.push({ id, lines });
    } catch (error) {
      refused.push({ id, reason: messageOf(error) });
    }
  }
  return { ready, refused };
}

/** A batch that is refused is sent again one by one, to tell who it was; the same point is the same point. */
async function send(batch: readonly Lines[], place: Place): Promise<readonly Refused[]> {
  const { url, access, signal } = place;
  const body = batch.map(({ lines }) => `${lines.join('\n')}\n`).join('');
  const answer = await ask({ method: 'POST', url, body, type: 'text/plain; charset=utf-8' }, access, signal);
  if (answer.status === 204 || answer.status === 200) return [];
  if (answer.status === 404) throw noDatabase(place);
  if (answer.status !== 400 && answer.status !== 422) throw unexpectedAnswer(url, answer);
  const [only] = batch;
  if (batch.length === 1 && only) return [{ id: only.id, reason: errorText(answer) }];
  const refused: Refused[] = [];
  for (const one of batch) refused.push(...(await send([one], place)));
  return refused;
}

function noDatabase({ url, database }: Place): NightmarkError {
  return new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(url)} has no database "${database}".`, {
    hint: `Make it first: influx -execute 'CREATE DATABASE "${database}"'`,
  });
}

function errorText({ status, text }: ExportAnswer): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // Then the text is what it says.
  }
  return `${status}: ${text.slice(0, 200)}`;
}

export default influx;
