import { messageOf } from '../../platform/core/errors.ts';
import type { LineSender } from '../client/line-sender.ts';
import { postQuery, quotedName } from './post-query.ts';

/** Where the lines go; undefined for UDP, whose packets name no database. */
export interface DatabasePlace {
  /** http://HOST:PORT, with a path below which /query lies if there is one. */
  readonly url: string;
  readonly database: string;
  readonly token?: string;
}

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
async function createDatabase({ database, ...server }: DatabasePlace): Promise<string | undefined> {
  try {
    const { status, text } = await postQuery(server, { q: `CREATE DATABASE ${quotedName(database)}` });
    const { results } = (text === '' ? {} : JSON.parse(text)) as { results?: readonly { error?: string }[] };
    return status >= 200 && status < 300 ? results?.[0]?.error : `status ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}
