import { shownUrl } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { ask, type ExportAccess, unexpectedAnswer } from '../ask.ts';

export interface HorreumServer {
  /** Ends in "/". */
  readonly url: URL;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

const PAGE = 100;

/** Ids of the payloads that a test has already: we leave them in the description of the run. */
export async function runsOf(test: string, server: HorreumServer): Promise<ReadonlySet<string>> {
  const about = await get(`api/test/byName/${encodeURIComponent(test)}`, server);
  const { id } = (about ?? {}) as { id?: number };
  if (id === undefined) {
    throw new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(server.url)} has no test "${test}".`, {
      hint: 'Make it in Horreum first, or look at the name behind "#".',
    });
  }
  const known = new Set<string>();
  for (let page = 1; ; page++) {
    const path = `api/run/list/${id}?limit=${PAGE}&page=${page}&sort=id&direction=Ascending`;
    const { runs = [] } = ((await get(path, server)) ?? {}) as { runs?: readonly { description?: string }[] };
    for (const { description } of runs) if (typeof description === 'string') known.add(description);
    if (runs.length < PAGE) return known;
  }
}

/** Undefined when it is not there. */
async function get(path: string, { url, access, signal }: HorreumServer): Promise<unknown> {
  const address = new URL(path, url);
  const answer = await ask({ method: 'GET', url: address }, access, signal);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw unexpectedAnswer(address, answer);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw unexpectedAnswer(address, answer);
  }
}
