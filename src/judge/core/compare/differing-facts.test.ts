import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differingFacts, type SidedFact } from './differing-facts.ts';

const fact = (
  side: SidedFact['side'],
  name: string,
  value: string | number,
  experiment?: string,
): SidedFact => ({
  ...{ side, group: name === 'repo' ? 'source' : 'version', name, value },
  ...(experiment !== undefined && { experiment }),
});

test('only what differs is listed, sources first; the rest is counted', () => {
  const found = differingFacts([
    fact('base', 'kernel', '6.1'),
    fact('head', 'kernel', '6.5'),
    fact('base', 'repo', 'b'),
    fact('base', 'repo', 'a'),
    fact('head', 'repo', 'c'),
    fact('base', 'libc', '2.36'),
    fact('head', 'libc', '2.36'),
    fact('head', 'node', '20'),
  ]);
  assert.deepEqual(found, {
    differing: [
      { group: 'source', name: 'repo', base: ['a', 'b'], head: ['c'], experiments: [] },
      { group: 'version', name: 'kernel', base: ['6.1'], head: ['6.5'], experiments: [] },
    ],
    equal: 1,
    oneSided: 1,
  });
});

test('one difference beside many experiments is reported once', () => {
  const { differing } = differingFacts(
    ['x', 'y'].flatMap((name) => [fact('base', 'flag', '-O2', name), fact('head', 'flag', '-O3', name)]),
  );
  assert.deepEqual(differing, [
    { group: 'version', name: 'flag', base: ['-O2'], head: ['-O3'], experiments: ['x', 'y'] },
  ]);
});
