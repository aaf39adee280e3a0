import type { LineSender } from '../../kit/line-sender.ts';

/** Where the lines go; undefined for UDP, whose packets name no database. */
export interface DatabasePlace {
  /** http://HOST:PORT, with a path below which /query lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
}

const ANSWER_MS = 10_000;

/** A sender that makes the database when the receiver says that there is none, and sends once more. */
export function creatingSender(sender: LineSender, place: DatabasePlace): LineSender {
  let isTried = false;
  return {
    ...sender,
    async send(text) {
      const delivery = await sender.send(text);
      const isMissing = delivery.state === 'failed' && /^404 database not found/.test(delivery.message);
      if (!isMissing || isTried) return delivery;
      isTried = true;
      const problem = await createDatabase(place);
      if (problem === undefined) return sender.send(text);
      return { state: 'failed', message: `${delivery.message}; it cannot be created: ${problem}` };
    },
  };
}

/** What keeps it from being created. */
async function createDatabase({ url, database, token }: DatabasePlace): Promise<string | undefined> {
  const name = `"${database.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  try {
    const answer = await fetch(`${url}/query`, {
      method: 'POST',
      body: new URLSearchParams({ q: `CREATE DATABASE ${name}` }),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    const { results } = (text === '' ? {} : JSON.parse(text)) as { results?: readonly { error?: string }[] };
    return answer.ok ? results?.[0]?.error : `status ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
