import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format } from '../../core/format.ts';
import { createLoadReading, type LoadReading, type LoadTarget, percentile } from '../../core/load-test.ts';

/** What ApacheBench prints: https://httpd.apache.org/docs/current/programs/ab.html */
const ab: Format = {
  id: 'ab',
  title: 'ApacheBench (what ab prints)',
  recognizes: [
    /^Concurrency Level:\s+\d+/m,
    /^Complete requests:\s+\d+/m,
    /^Time per request:\s+[\d.]+ \[ms\]/m,
  ],
  read(text) {
    const requests = numberAfter('Complete requests', text);
    const rate = numberAfter('Requests per second', text);
    if (requests === undefined || rate === undefined)
      throw new NightmarkError('IMPORT_SHAPE', 'It is not the whole output of ab.', { hint: HINT });
    const path = /^Document Path:[ \t]+(\S+)/m.exec(text)?.[1];
    const concurrency = numberAfter('Concurrency Level', text);
    const target: LoadTarget = {
      benchmark: path === undefined ? [] : [path],
      settings: concurrency === undefined ? {} : { concurrency },
    };
    const reading = createLoadReading();
    reading.errorRate(target, errorsOf(text), requests);
    if (requests === 0) reading.builder.failed.push('no request was completed');
    else addTimes(text, target, { reading, rate });
    return reading.finish(HINT);
  },
};

export default ab;

const HINT = 'Use all that "ab -n 1000 -c 4 URL" prints; an ab that was stopped prints no summary.';

function numberAfter(label: string, text: string): number | undefined {
  const value = new RegExp(String.raw`^${label}:[ \t]+(\d+(?:\.\d+)?)(?=\s)`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** Answers of another length than the first are counted as failed by ab; they are so for every page that varies. */
function errorsOf(text: string): number {
  const kinds = /^\s+\(Connect: (\d+), Receive: (\d+), Length: \d+, Exceptions: (\d+)\)/m.exec(text) ?? [];
  const broken = kinds.slice(1).reduce((sum, count) => sum + Number(count), 0);
  return broken + (numberAfter('Non-2xx responses', text) ?? 0);
}

interface Times {
  readonly reading: LoadReading;
  readonly rate: number;
}

function addTimes(text: string, target: LoadTarget, { reading, rate }: Times): void {
  reading.throughput(target, rate);
  const transfer = numberAfter('Transfer rate', text);
  if (transfer !== undefined) reading.transfer(target, transfer, 'KiB/s');
  // The second such line is the same divided by the concurrency.
  const mean = numberAfter('Time per request', text);
  if (mean !== undefined) reading.latency(target, 'mean', { value: mean, unit: 'ms' });
  const least = /^Total:\s+(\d+)\s/m.exec(text)?.[1];
  if (least !== undefined) reading.latency(target, 'min', { value: Number(least), unit: 'ms' });
  for (const [, share = '', value] of text.matchAll(/^\s+(\d+)%\s+(\d+)(?=\s|$)/gm))
    reading.latency(target, percentile(share), { value: Number(value), unit: 'ms' });
}
