import { asPayload } from '../../../../formats/core/kpi/read-payload.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { ExportTarget, ImportedPayload, RefusedDocument } from '../../../core/exporter.ts';
import { accessOf, addressOf, requiredName } from '../access.ts';
import { ask, type ExportAccess, unexpectedAnswer } from '../ask.ts';
import { WHOLE, wholePayload } from './whole-payload.ts';

/** Payloads that are asked for at a time. */
const PAGE = 200;

/** The payloads that were exported, each once: of one that was exported with several times, the latest. */
export async function* readBack(
  target: ExportTarget,
  signal: CancelSignal,
): AsyncGenerator<ImportedPayload | RefusedDocument> {
  const database = requiredName(target, 'database');
  const place = {
    url: new URL('query', addressOf(target)),
    database,
    access: await accessOf(target, 'Token'),
  };
  const known = new Set<string>();
  for (let offset = 0; ; offset += PAGE) {
    const rows = await pageOf(place, offset, signal);
    for (const row of rows) {
      const id = String(row['test_uuid'] ?? '');
      if (known.has(id)) continue;
      known.add(id);
      yield documentOf(row, `${database}, ${WHOLE} of test ${id}`);
    }
    if (rows.length < PAGE) return;
  }
}

interface Place {
  readonly url: URL;
  readonly database: string;
  readonly access: ExportAccess;
}

type Row = Readonly<Record<string, JsonValue>>;

async function pageOf({ url, database, access }: Place, offset: number, signal: CancelSignal) {
  const page = new URL(url);
  const q = `SELECT * FROM "${WHOLE}" ORDER BY time DESC LIMIT ${PAGE} OFFSET ${offset}`;
  page.search = new URLSearchParams({ db: database, q, epoch: 'ns' }).toString();
  const answer = await ask({ method: 'GET', url: page }, access, signal);
  if (answer.status !== 200) throw unexpectedAnswer(page, answer);
  return rowsOf(JSON.parse(answer.text) as JsonValue, database);
}

function rowsOf(answer: JsonValue, database: string): readonly Row[] {
  const results = isJsonObject(answer) ? answer['results'] : undefined;
  const result = Array.isArray(results) ? results[0] : undefined;
  if (!isJsonObject(result) || result['error'] !== undefined) {
    const said = isJsonObject(result) ? String(result['error']) : 'an answer without results';
    throw new NightmarkError('EXPORT_NO_INDEX', `The payloads of "${database}" cannot be read: ${said}.`, {
      hint: 'Is that the database they were exported to?',
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

function documentOf(row: Row, source: string): ImportedPayload | RefusedDocument {
  try {
    const found = asPayload(wholePayload(row));
    if ('reason' in found) return { source, reason: found.reason };
    return { id: found.payload.metadata.test_uuid, payload: found.payload, source };
  } catch (error) {
    return { source, reason: messageOf(error) };
  }
}
