import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { parsePayloadTime } from '../../../../formats/core/kpi/read-payload.ts';
import { shownUrl } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Exporter } from '../../../core/exporter.ts';
import {
  type ExportAccess,
  exportRequest,
  readAccess,
  requiredName,
  serverUrl,
  unexpectedAnswer,
} from '../export-http.ts';

/** Horreum, by the upload of its HTTP interface: a payload is a run of a test. */
const horreum: Exporter = {
  id: 'horreum',
  title: 'Horreum (upload of runs)',
  canImport: false,
  async export(payloads, target, signal) {
    const test = requiredName(target, 'test');
    const { options, secrets } = target;
    const access = await readAccess(target);
    // API keys begin with HUSR_ and have their own header.
    const headers = secrets['token']?.startsWith('HUSR_')
      ? { 'x-horreum-api-key': secrets['token'] }
      : access.headers;
    const server = { url: serverUrl(target), access: { ...access, headers }, signal };
    const query = { test, owner: options['owner'] ?? '', access: options['access'] ?? 'PUBLIC' };
    const steps = payloads.map((payload) => `upload ${payload.metadata.test_uuid} as a run of ${test}`);
    if (target.isDryRun) return { sent: 0, refused: [], steps };
    // Horreum stores the same run twice, so existing runs are read first.
    const existing = await listRunIds(test, server);
    const refused: { readonly id: string; readonly reason: string }[] = [];
    for (const payload of payloads) {
      const id = payload.metadata.test_uuid;
      const reason = existing.has(id) ? undefined : await upload(payload, query, server);
      if (reason !== undefined) refused.push({ id, reason });
    }
    return { sent: payloads.length - refused.length, refused, steps };
  },
};

/** Returns the reason when the run is refused. */
async function upload(
  payload: Payload,
  query: Readonly<Record<string, string>>,
  { url, access, signal }: HorreumServer,
): Promise<string | undefined> {
  const { test_uuid: id, start, end } = payload.metadata;
  const [from, to] = [parsePayloadTime(String(start)), parsePayloadTime(String(end))];
  if (!from || !to) return `invalid time: start "${start}", end "${end}"`;
  const address = new URL('api/run/data', url);
  const times = { start: String(Math.floor(from.at)), stop: String(Math.floor(to.at)) };
  const given = Object.entries({ ...query, ...times, description: id }).filter(([, value]) => value !== '');
  address.search = new URLSearchParams(given).toString();
  const body = JSON.stringify(payload);
  const answer = await exportRequest({ method: 'POST', url: address, body }, access, signal);
  if (answer.status >= 200 && answer.status < 300) return undefined;
  if (answer.status === 404) {
    throw new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(url)} has no test "${query['test']}".`, {
      hint: 'Create it in Horreum first, or check the name after "#".',
    });
  }
  if (answer.status === 400 || answer.status === 413) return `${answer.status}: ${answer.text.slice(0, 200)}`;
  throw unexpectedAnswer(address, answer);
}

export default horreum;

export interface HorreumServer {
  /** Ends in "/". */
  readonly url: URL;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

const PAGE = 100;

/** Ids of the payloads that a test has already: the description of a run has the id. */
async function listRunIds(test: string, server: HorreumServer): Promise<ReadonlySet<string>> {
  const about = await get(`api/test/byName/${encodeURIComponent(test)}`, server);
  const { id } = (about ?? {}) as { id?: number };
  if (id === undefined) {
    throw new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(server.url)} has no test "${test}".`, {
      hint: 'Create it in Horreum first, or check the name after "#".',
    });
  }
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const path = `api/run/list/${id}?limit=${PAGE}&page=${page}&sort=id&direction=Ascending`;
    const { runs = [] } = ((await get(path, server)) ?? {}) as { runs?: readonly { description?: string }[] };
    for (const { description } of runs) if (typeof description === 'string') ids.add(description);
    if (runs.length < PAGE) return ids;
  }
}

/** Undefined for status 404. */
async function get(path: string, { url, access, signal }: HorreumServer): Promise<unknown> {
  const address = new URL(path, url);
  const answer = await exportRequest({ method: 'GET', url: address }, access, signal);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw unexpectedAnswer(address, answer);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw unexpectedAnswer(address, answer);
  }
}
