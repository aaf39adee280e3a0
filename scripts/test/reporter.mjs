// Runs inside a process of tests: prints what Node's own "spec" prints but its counts, which test.mjs adds up.
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d+(\.\d+)?$/;

export default async function* report(source) {
  yield* Readable.from(withoutCounts(source)).compose(new spec());
}

async function* withoutCounts(source) {
  for await (const event of source) {
    const isCount =
      event.type === 'test:diagnostic' && event.data.nesting === 0 && COUNT.test(event.data.message);
    if (!isCount) yield event;
  }
}
