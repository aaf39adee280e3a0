import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnRegistry } from '../series/column-registry.ts';
import { readLines } from './read-lines.ts';

const MEASUREMENTS = ['m', 'cpu', 'm"', 'm=', '=', 'time', 'é'];
const TAGS = ['a=1', 'b=2', 'a=3', 'a=', '=1', 'a', '', 'a==1', 'a=1=', 'time=1', '"a"="b"', 'z=é', 'b=x y'];
const FIELDS = ['v=1', 'v=1i', 'w=2', 'time=1', 'v="x"', 'v=', '=1', 'v=1,v=2', 'v=1,v=2i', 'v=t'];

/** Everything that a registry and a caller know after these lines, the first time they come. */
function told(lines: readonly string[]) {
  const registry = new ColumnRegistry();
  const read = readLines(new TextEncoder().encode(lines.join('\n')), registry, {
    database: 'd',
    precision: 'n',
    receivedAt: { ms: 5, ns: 6 },
  });
  return { ...read, columns: registry.columns('d') };
}

test('series that are new are made of plain lines as of those that need an exact look', () => {
  let state = 3;
  const pick = (list: readonly string[]) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)] as string;
  };
  let made = 0;
  for (let round = 0; round < 1000; round++) {
    const lines = Array.from({ length: 3 }, () => {
      const tags = Array.from({ length: Number(pick(['0', '1', '2', '3'])) }, () => `,${pick(TAGS)}`);
      return `${pick(MEASUREMENTS)}${tags.join('')} ${pick(FIELDS)} ${round}`;
    });
    // A blank in front changes nothing, but is no plain spelling.
    const exact = told(lines.map((line) => ` ${line}`));
    assert.deepEqual(told(lines), exact, lines.join('\n'));
    made += exact.columns.length;
  }
  assert.ok(made > 500, `${made} columns`);
});

test('a key that is too long is refused, however plain', () => {
  const long = `m,a=${'x'.repeat(65_520)}`;
  const [fits, tooLong] = [told([`${long} v=1 1`]), told([`${long} v${'y'.repeat(20)}=1 1`])];
  assert.deepEqual([fits.rows.count, fits.refusedLines], [1, 0]);
  assert.deepEqual([tooLong.rows.count, tooLong.columns.length], [0, 0]);
  assert.match(tooLong.refused[0]?.message ?? '', /^max key length exceeded: \d+ > 65535$/);
});
