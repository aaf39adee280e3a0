// Runs inside a process of tests: prints what Node's own "spec" prints but its counts, which test.mjs adds up.
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';

export default async function* report(source) {
  yield* Readable.from(withoutCounts(source)).compose(new spec());
}

async function* withoutCounts(source) {
  for await (const event of source) {
    const isCount = event.type === 'test:diagnostic' && event.data.nesting === 0 && event.data.file === undefined;
    if (!isCount) yield event;
  }
}
