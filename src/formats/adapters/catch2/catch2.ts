import { NightmarkError } from '../../../platform/core/errors.ts';
import { unescapeMarkup } from '../../../platform/core/text/html.ts';
import type { Format } from '../../core/format.ts';
import { createReading } from '../../core/reading-builder.ts';

/** `-r xml` of a test program of Catch2, versions 2 and 3: https://github.com/catchorg/Catch2 */
const catch2: Format = {
  id: 'catch2',
  title: 'Catch2 (-r xml)',
  // Benchmarks may come after many tests: the root says enough.
  recognizes: [/<Catch2TestRun\s[^<]*name="|<Catch\s[^<]*name="[^<]*<Group\s/, /<TestCase\s[^<]*name="/],
  read(text) {
    const reading = createReading();
    const path: string[] = [];
    /** The benchmark that has begun, and has neither a mean nor a failure yet. */
    let open: string | undefined;
    let found = 0;
    const close = () => {
      if (open !== undefined) reading.failed.push(`${open} has no mean`);
      open = undefined;
    };
    for (const { tag, isEnd, isEmpty, attributes } of elementsOf(text)) {
      if (LEVELS.has(tag)) {
        if (isEnd || tag === 'BenchmarkResults') close();
        if (isEnd) path.pop();
        else path.push(attributeOf(attributes, 'name')?.trim() ?? '');
        if (!isEnd && tag === 'BenchmarkResults') {
          found++;
          open = path.join(' / ');
        }
        if (isEmpty) path.pop();
      } else if (open !== undefined && tag === 'mean') {
        const [where, value] = [open, attributeOf(attributes, 'value')];
        open = undefined;
        if (value === undefined || value.trim() === '')
          reading.failed.push(`${where}: the mean has no "value"`);
        else reading.set({ benchmark: [...path], metric: 'time', unit: 'ns' })(Number(value), () => where);
      } else if (open !== undefined && tag === 'failed') {
        reading.failed.push(`${open} failed: ${(attributeOf(attributes, 'message') ?? '').slice(0, 500)}`);
        open = undefined;
      }
    }
    close();
    if (!/<\/Catch(?:2TestRun)?>/.test(text))
      reading.failed.push('The file is cut off: its last element is missing');
    if (found > 0) return reading.finish();
    throw new NightmarkError('IMPORT_NO_NUMBERS', 'There is no element <BenchmarkResults> in it.', {
      hint: HINT,
    });
  },
};

export default catch2;

const HINT =
  'Run the tests with "-r xml" and without "--skip-benchmarks"; the reporter "json" leaves benchmarks out.';

/** Elements that name something: benchmarks of one name in two sections are two. */
const LEVELS: ReadonlySet<string> = new Set(['TestCase', 'Section', 'BenchmarkResults']);

interface Element {
  readonly tag: string;
  readonly isEnd: boolean;
  readonly isEmpty: boolean;
  readonly attributes: string;
}

/** The few elements that matter, in order. Catch2 writes ">" as it is in attributes, and escapes "<" everywhere. */
function* elementsOf(text: string): Generator<Element> {
  const pattern = /<(\/?)(TestCase|Section|BenchmarkResults|mean|failed)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/g;
  for (const [, slash, tag = '', attributes = '', empty] of text.matchAll(pattern))
    yield { tag, isEnd: slash === '/', isEmpty: empty === '/', attributes };
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  return found === undefined ? undefined : unescapeMarkup(found);
}
