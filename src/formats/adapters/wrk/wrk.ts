import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createLoadReading, percentile } from '../../core/load-test.ts';

/** What wrk prints: https://github.com/wg/wrk */
const wrk: Format = {
  id: 'wrk',
  title: 'wrk (what it prints, best with --latency)',
  recognizes: [
    /^Running \S+ test @ \S+/m,
    /^\s+\d+ threads and \d+ connections/m,
    /^\s+Thread Stats\s+Avg\s+Stdev\s+Max/m,
  ],
  read(text) {
    const place = /^Running \S+ test @ (\S+)\s+(\d+) threads and (\d+) connections/m.exec(text);
    const done = /^\s*(\d+) requests in /m.exec(text);
    const rate = /^Requests\/sec:\s+([\d.]+)\s*$/m.exec(text);
    if (!place || !done || !rate)
      throw new NightmarkError('IMPORT_SHAPE', 'It is not the whole output of wrk.', { hint: HINT });
    const settings = { threads: Number(place[2]), connections: Number(place[3]) };
    const target = { benchmark: [pathOf(place[1] ?? '')], settings };
    const reading = createLoadReading();
    const requests = Number(done[1]);
    if (requests > 0) reading.throughput(target, Number(rate[1]));
    else reading.builder.failed.push(`${target.benchmark[0]}: no request was answered`);
    const [, transfer, unit = ''] = /^Transfer\/sec:\s+([\d.]+)([KMGT]?)B\s*$/m.exec(text) ?? [];
    if (transfer !== undefined && requests > 0)
      reading.transfer(target, Number(transfer), unit === '' ? 'B/s' : `${unit}iB/s`);
    if (requests > 0) for (const [statistic, time] of timesOf(text)) reading.latency(target, statistic, time);
    const failed = failuresOf(text);
    reading.errorRate(target, failed.answers + failed.sockets, requests + failed.sockets);
    return reading.finish(HINT);
  },
};

export default wrk;

const HINT = 'Use all that "wrk --latency URL" prints; a wrk that was killed prints no summary.';
const TIME = String.raw`([\d.]+)(us|ms|s|m|h)`;

/** Host and port are where it ran; the path is what was under load. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';
}

type Time = readonly [statistic: string, time: { readonly value: number; readonly unit: string }];

function timesOf(text: string): readonly Time[] {
  const time = (value = '', unit = '') => ({ value: Number(value), unit: unit === 'm' ? 'min' : unit });
  const row = new RegExp(String.raw`^\s+Latency\s+${TIME}\s+\S+\s+${TIME}\s`, 'm').exec(text);
  const shares = text.matchAll(new RegExp(String.raw`^\s+(\d+(?:\.\d+)?)%\s+${TIME}\s*$`, 'gm'));
  return [
    ...(row ? [['mean', time(row[1], row[2])] as const, ['max', time(row[3], row[4])] as const] : []),
    ...[...shares].map(([, share = '', value, unit]) => [percentile(share), time(value, unit)] as const),
  ];
}

/** Both lines are missing where nothing failed. */
function failuresOf(text: string): { readonly answers: number; readonly sockets: number } {
  const sockets =
    /^\s+Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/m.exec(text) ?? [];
  const answers = /^\s+Non-2xx or 3xx responses: (\d+)/m.exec(text)?.[1] ?? 0;
  return {
    answers: Number(answers),
    sockets: sockets.slice(1).reduce((sum, count) => sum + Number(count), 0),
  };
}
