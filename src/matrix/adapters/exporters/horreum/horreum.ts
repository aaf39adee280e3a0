import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { parsePayloadTime } from '../../../../formats/core/kpi/read-payload.ts';
import { shownUrl } from '../../../../platform/adapters/http.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { Exporter } from '../../../core/exporter.ts';
import { accessOf, addressOf, requiredName } from '../access.ts';
import { ask, unexpectedAnswer } from '../ask.ts';
import { type HorreumServer, runsOf } from './runs-of.ts';

/** Horreum, by the upload of its HTTP interface: a payload is a run of a test. */
const horreum: Exporter = {
  id: 'horreum',
  title: 'Horreum (upload of runs)',
  canImport: false,
  async export(payloads, target, signal) {
    const test = requiredName(target, 'test');
    const { options, secrets } = target;
    const access = await accessOf(target);
    // Keys begin with HUSR_ and go into a header of their own.
    const headers = secrets['token']?.startsWith('HUSR_')
      ? { 'x-horreum-api-key': secrets['token'] }
      : access.headers;
    const server = { url: addressOf(target), access: { ...access, headers }, signal };
    const query = { test, owner: options['owner'] ?? '', access: options['access'] ?? 'PUBLIC' };
    const steps = payloads.map((payload) => `upload ${payload.metadata.test_uuid} as a run of ${test}`);
    if (target.isDryRun) return { sent: 0, refused: [], steps };
    // Horreum takes the same run twice: we have to look.
    const known = await runsOf(test, server);
    const refused: { readonly id: string; readonly reason: string }[] = [];
    for (const payload of payloads) {
      const id = payload.metadata.test_uuid;
      const reason = known.has(id) ? undefined : await upload(payload, query, server);
      if (reason !== undefined) refused.push({ id, reason });
    }
    return { sent: payloads.length - refused.length, refused, steps };
  },
};

/** Gives the reason when the run is refused. */
async function upload(
  payload: Payload,
  query: Readonly<Record<string, string>>,
  { url, access, signal }: HorreumServer,
): Promise<string | undefined> {
  const { test_uuid: id, start, end } = payload.metadata;
  const [from, to] = [parsePayloadTime(String(start)), parsePayloadTime(String(end))];
  if (!from || !to) return `its start "${start}" or end "${end}" is no time`;
  const address = new URL('api/run/data', url);
  const times = { start: String(Math.floor(from.at)), stop: String(Math.floor(to.at)) };
  const given = Object.entries({ ...query, ...times, description: id }).filter(([, value]) => value !== '');
  address.search = new URLSearchParams(given).toString();
  const body = JSON.stringify(payload);
  const answer = await ask({ method: 'POST', url: address, body }, access, signal);
  if (answer.status >= 200 && answer.status < 300) return undefined;
  if (answer.status === 404) {
    throw new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(url)} has no test "${query['test']}".`, {
      hint: 'Make it in Horreum first, or look at the name behind "#".',
    });
  }
  if (answer.status === 400 || answer.status === 413) return `${answer.status}: ${answer.text.slice(0, 200)}`;
  throw unexpectedAnswer(address, answer);
}

export default horreum;
