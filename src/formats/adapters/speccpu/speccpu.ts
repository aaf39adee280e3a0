import { NightmarkError } from '../../../platform/core/errors.ts';
import type { Format, IterationReading } from '../../core/format.ts';
import {
  createIterationList,
  decimalNs,
  iterationSamples,
  MAX_OFFSET_NS,
} from '../../core/iteration-reading.ts';

const LINE = /^[ \t]*Rate (Start|End):[^(\n]*\((\d+(?:\.\d+)?)\)/;

/** The log of a SPEC CPU run (CPU2017.002.log): each iteration is a "Rate Start" and the "Rate End" after it. */
const speccpu: Format = {
  id: 'speccpu',
  title: 'SPEC CPU 2017 log',
  recognizes: [new RegExp(LINE.source, 'm')],
  read: (text) => iterationSamples(readSpeccpu(text)),
  readIterations: readSpeccpu,
  iterationColumns: () => [],
};

function readSpeccpu(text: string): IterationReading {
  const list = createIterationList();
  let origin: bigint | undefined;
  let open: bigint | undefined;
  let number = 0;
  const fail = (what: string) => list.failed.push(`iteration ${number++} ${what}`);
  for (const [, word, seconds = ''] of text.matchAll(new RegExp(LINE.source, 'gm'))) {
    const at = decimalNs(seconds, 9) ?? 0n;
    if (word === 'Start') {
      if (open !== undefined) fail('has a start and no end');
      open = at;
      continue;
    }
    if (open === undefined) fail('has an end and no start');
    else {
      origin ??= open;
      const [start, time] = [Number(open - origin), Number(at - open)];
      if (time < 0 || time >= MAX_OFFSET_NS || Math.abs(start) >= MAX_OFFSET_NS)
        fail(`takes ${time / 1e9} s, which cannot be`);
      else list.add(number++, start, time);
    }
    open = undefined;
  }
  if (open !== undefined) fail('has a start and no end');
  if (number === 0) throw noIterations();
  return list.finish({ originNs: origin ?? 0n, clock: 'unix', extra: new Map() });
}

function noIterations(): NightmarkError {
  return new NightmarkError('IMPORT_NO_NUMBERS', 'There is no line "Rate Start: ... (seconds)" in it.', {
    hint: 'Use the log of the run itself: the file that ends in 002.log in the result folder of SPEC CPU.',
  });
}

export default speccpu;
