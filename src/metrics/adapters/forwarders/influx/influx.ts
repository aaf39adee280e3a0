import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { authorization } from '../../../../platform/adapters/http.ts';
import { formatRows } from '../../../core/forward/format-rows.ts';
import type { Delivery, Forwarder, ForwardPlace } from '../../../core/forward/forwarder.ts';
import { addressOf, post } from '../post.ts';

/** InfluxDB 1.x, 2.x through its compatible /write, and VictoriaMetrics, which takes the same. */
const influx: Forwarder = {
  id: 'influx',
  title: 'InfluxDB, VictoriaMetrics (line protocol over HTTP)',
  open(place: ForwardPlace) {
    const base = addressOf(place, 'write');
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'content-encoding': 'gzip',
      ...authorization(place.secrets, 'Token'),
    };
    return {
      async send({ database, rows, keyOf }, signal) {
        const { text, values, lines, notFinite } = formatRows(rows, keyOf);
        if (lines === 0) return done({ sent: 0, notFinite, refused: 0 });
        const url = new URL(base);
        url.searchParams.set('db', place.database ?? database);
        url.searchParams.set('precision', 'n');
        const outcome = await post({ url, headers, body: await zipped(text) }, signal);
        if (outcome.state === 'later') return outcome;
        if (outcome.state === 'taken') return done({ sent: values, notFinite, refused: 0 });
        const refused = refusedOf(outcome.message, { lines, values });
        return { ...done({ sent: values - refused, notFinite, refused }), message: outcome.message };
      },
    };
  },
};

const zipped = promisify<string, Buffer>(gzip);

/** "partial write: ... dropped=3": the others of the batch were written. */
function refusedOf(message: string, { lines, values }: { lines: number; values: number }): number {
  const dropped = /partial write.*dropped=(\d+)/.exec(message)?.[1];
  if (dropped === undefined) return values;
  // It counts points, we count values: with several fields a point this is an estimate.
  return Math.min(values, Math.round((Number(dropped) * values) / lines));
}

function done(counts: { sent: number; notFinite: number; refused: number }): Delivery {
  const { sent, notFinite, refused } = counts;
  return {
    state: 'done',
    sent,
    leftOut: { ...(notFinite > 0 && { 'not-finite': notFinite }), ...(refused > 0 && { refused }) },
  };
}

export default influx;
