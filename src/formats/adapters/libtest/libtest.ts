import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import type { Format } from '../../core/format.ts';
import { createReading, requireNumbers } from '../../core/reading-builder.ts';

/** What `cargo bench` prints for functions with `#[bench]`; criterion prints the same with `--output-format bencher`. */
const libtest: Format = {
  id: 'libtest',
  title: 'cargo bench of the built-in harness (text)',
  recognizes: [/^test .+ \.\.\. bench: +[\d,]+(?:\.\d+)? ns\/iter \(\+\/- /m],
  read(text) {
    const reading = createReading();
    const lines = withoutSequences(text).split(/\r?\n/);
    const messages = messagesOf(lines);
    let binary: readonly string[] = [];
    for (const line of lines) {
      binary = binaryOf(line) ?? binary;
      const [, padded = '', result = ''] = RESULT.exec(line) ?? [];
      const name = padded.trim();
      if (name === '') continue;
      const key = { benchmark: [...binary, ...name.split('::')] };
      const [, time, rate] = BENCH.exec(result) ?? [];
      if (time !== undefined) {
        reading.set({ ...key, metric: 'time', unit: 'ns' })(numberOf(time), () => name);
        if (rate !== undefined)
          reading.set({ ...key, metric: 'throughput', unit: 'MB/s' })(numberOf(rate), () => name);
      } else if (result.startsWith('ignored')) reading.skipped.push(`${name} is ignored`);
      else if (result === 'FAILED') reading.failed.push(`${name} failed${messages.get(name) ?? ''}`);
      else if (result.startsWith('bench:')) reading.failed.push(`${name} has no time that can be read`);
    }
    return requireNumbers(reading.finish(), HINT);
  },
};

export default libtest;

const HINT =
  'Use what "cargo bench" prints for functions with #[bench]: lines "test NAME ... bench: 12 ns/iter (+/- 3)".';

/** Tests that are not benchmarks end in "ok" and are left alone. */
const RESULT = /^test (.+) \.\.\. (bench:.*|ignored.*|FAILED)$/;
/** The time is a median, and what follows the difference of largest and smallest. Commas separate thousands. */
const BENCH = /^bench: +([\d,]+(?:\.\d+)?) ns\/iter \(\+\/- [\d,.]+\)(?: = ([\d,]+) MB\/s)?/;

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}

/** Cargo says on its standard error which binary runs: two of them may have benchmarks of one name. */
function binaryOf(line: string): readonly string[] | undefined {
  const [, source] = /^ +Running (?:unittests )?(\S+)\.rs \(/.exec(line) ?? [];
  return source === undefined ? undefined : [source.slice(source.lastIndexOf('/') + 1)];
}

/** The first line of what each benchmark that failed said. */
function messagesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, name] = /^---- (.+) stdout ----$/.exec(line) ?? [];
    if (name === undefined) continue;
    const said = lines.slice(index + 1, index + 6).filter((one) => one.trim() !== '');
    // "thread 'main' panicked at FILE:1:2:" is followed by the reason.
    const place = said.findIndex((one) => /^thread .* panicked at .*:$/.test(one));
    const reason = said[place + 1];
    if (reason !== undefined) messages.set(name, `: ${reason.trim().slice(0, 500)}`);
  }
  return messages;
}
