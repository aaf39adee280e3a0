import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { shownUrl } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { type Exporter, type ExportTarget, type ReadDocument, readDocument } from '../../../core/exporter.ts';
import {
  type ExportAccess,
  type ExportAnswer,
  exportRequest,
  readAccess,
  requiredName,
  serverUrl,
  unexpectedAnswer,
} from '../export-http.ts';
import { joinPayloadFields, PAYLOAD_MEASUREMENT, payloadLines } from './payload-lines.ts';

/** InfluxDB 1.x, and 2.x through its compatible /write. */
const influx: Exporter = {
  id: 'influx',
  title: 'InfluxDB (line protocol)',
  canImport: true,
  async export(payloads, target, signal) {
    const database = requiredName(target, 'database');
    const url = new URL('write', serverUrl(target));
    url.search = new URLSearchParams({ db: database, precision: 'ns' }).toString();
    const { ready, refused } = linesOf(payloads);
    const steps = ready.flatMap(({ lines }) => lines);
    if (target.isDryRun) return { sent: 0, refused, steps };
    const place = { url, database, access: await readAccess(target, 'Token'), signal };
    for (let at = 0; at < ready.length; at += BATCH) {
      refused.push(...(await send(ready.slice(at, at + BATCH), place)));
    }
    return { sent: payloads.length - refused.length, refused, steps };
  },
  import: importPayloads,
};

/** Payloads at a time; InfluxDB recommends some thousands of points. */
const BATCH = 500;

interface PayloadLines {
  readonly id: string;
  readonly lines: readonly string[];
}

interface WriteTarget {
  readonly url: URL;
  readonly database: string;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

interface RefusedPayload {
  readonly id: string;
  readonly reason: string;
}

function linesOf(payloads: readonly Payload[]): {
  readonly ready: readonly PayloadLines[];
  readonly refused: RefusedPayload[];
} {
  const ready: PayloadLines[] = [];
  const refused: RefusedPayload[] = [];
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

/** A refused batch is sent again one by one, to find the refused payloads; writing a point twice changes nothing. */
async function send(batch: readonly PayloadLines[], place: WriteTarget): Promise<readonly RefusedPayload[]> {
  const { url, access, signal } = place;
  const body = batch.map(({ lines }) => `${lines.join('\n')}\n`).join('');
  const answer = await exportRequest(
    { method: 'POST', url, body, type: 'text/plain; charset=utf-8' },
    access,
    signal,
  );
  if (answer.status === 204 || answer.status === 200) return [];
  if (answer.status === 404) throw noDatabase(place);
  if (answer.status !== 400 && answer.status !== 422) throw unexpectedAnswer(url, answer);
  const [only] = batch;
  if (batch.length === 1 && only) return [{ id: only.id, reason: errorText(answer) }];
  const refused: RefusedPayload[] = [];
  for (const one of batch) refused.push(...(await send([one], place)));
  return refused;
}

function noDatabase({ url, database }: WriteTarget): NightmarkError {
  return new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(url)} has no database "${database}".`, {
    hint: `Create it first: influx -execute 'CREATE DATABASE "${database}"'`,
  });
}

function errorText({ status, text }: ExportAnswer): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return `${status}: ${text.slice(0, 200)}`;
}

export default influx;

/** Payloads of one query. */
const PAGE = 200;

/** The exported payloads, each once: of one with several times, the latest. */
async function* importPayloads(target: ExportTarget, signal: CancelSignal): AsyncGenerator<ReadDocument> {
  const database = requiredName(target, 'database');
  const place = {
    url: new URL('query', serverUrl(target)),
    database,
    access: await readAccess(target, 'Token'),
  };
  const seen = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const rows = await pageOf(place, offset, signal);
    for (const row of rows) {
      const id = String(row['test_uuid'] ?? '');
      if (seen.has(id)) continue;
      seen.add(id);
      yield documentOf(row, `${database}, ${PAYLOAD_MEASUREMENT} of test ${id}`);
    }
    if (rows.length < PAGE) return;
  }
}

interface QueryTarget {
  readonly url: URL;
  readonly database: string;
  readonly access: ExportAccess;
}

type Row = Readonly<Record<string, JsonValue>>;

async function pageOf({ url, database, access }: QueryTarget, offset: number, signal: CancelSignal) {
  const page = new URL(url);
  const q = `SELECT * FROM "${PAYLOAD_MEASUREMENT}" ORDER BY time DESC LIMIT ${PAGE} OFFSET ${offset}`;
  page.search = new URLSearchParams({ db: database, q, epoch: 'ns' }).toString();
  const answer = await exportRequest({ method: 'GET', url: page }, access, signal);
  if (answer.status !== 200) throw unexpectedAnswer(page, answer);
  return rowsOf(JSON.parse(answer.text) as JsonValue, database);
}

function rowsOf(answer: JsonValue, database: string): readonly Row[] {
  const results = isJsonObject(answer) ? answer['results'] : undefined;
  const result = Array.isArray(results) ? results[0] : undefined;
  if (!isJsonObject(result) || result['error'] !== undefined) {
    const reason = isJsonObject(result) ? String(result['error']) : 'the answer has no results';
    throw new NightmarkError('EXPORT_NO_INDEX', `The payloads of "${database}" cannot be read: ${reason}.`, {
      hint: 'Check that they were exported to this database.',
    });
  }
  const series = Array.isArray(result['series']) ? result['series'] : [];
  return series.flatMap((one) => {
    if (!isJsonObject(one) || !Array.isArray(one['columns']) || !Array.isArray(one['values'])) return [];
    const columns = one['columns'].map(String);
    return one['values'].map((values): Row => {
      const cells = Array.isArray(values) ? values : [];
      return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null]));
    });
  });
}

function documentOf(row: Row, source: string): ReadDocument {
  try {
    return readDocument(joinPayloadFields(row), source);
  } catch (error) {
    return { source, reason: messageOf(error) };
  }
}
