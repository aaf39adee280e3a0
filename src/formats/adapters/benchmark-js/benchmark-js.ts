import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import type { Format } from '../../core/format.ts';
import { createReading, requireNumbers } from '../../core/reading-builder.ts';

/** The name may itself have " x " in it: the last one counts. */
const LINE = /^(.+) x ([\d,]+(?:\.\d+)?) ops\/sec \u00b1([\d.]+)% \((\d+) runs? sampled\)/;

/** What suites of Benchmark.js print with `console.log(String(event.target))`: https://benchmarkjs.com */
const benchmarkJs: Format = {
  id: 'benchmark-js',
  title: 'Benchmark.js (text)',
  recognizes: [new RegExp(LINE.source, 'm')],
  read(text) {
    const reading = createReading();
    for (const line of withoutSequences(text).split(/\r?\n/)) {
      const [, name = '', rate] = LINE.exec(line) ?? [];
      if (rate === undefined) {
        const [, broken] = FAILED.exec(line) ?? [];
        if (broken !== undefined) reading.failed.push(`${broken.trim()} failed`);
        continue;
      }
      const add = reading.set({ benchmark: [name.trim()], metric: 'throughput', unit: 'ops/s' });
      add(Number(rate.replaceAll(',', '')), () => name.trim());
    }
    return requireNumbers(reading.finish(), HINT);
  },
};

export default benchmarkJs;

const HINT =
  'Print each result: suite.on("cycle", (event) => console.log(String(event.target))) gives "sort x 1,234 ops/sec ±0.5% (90 runs sampled)".';

/** A benchmark that threw is a name with a colon, and a blank where the enumerable fields of its error would be. */
const FAILED = /^(.+): (?:\w*Error\b.*)?$/;
