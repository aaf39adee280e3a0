import fc from 'fast-check';

const word = fc.constantFrom(
  'name',
  'command',
  'times',
  'results',
  'benchmarks',
  'real_time',
  '__proto__',
  'a.b',
  '',
);
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 'text', '12', 'NaN', 0, -1.5, 1e308),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(word, tie('node'), { maxKeys: 5 }),
  ),
})).node;
const cell = fc.constantFrom(
  '1',
  '-2.5e3',
  'nan',
  'inf',
  '',
  '"a,b"',
  '"',
  'x',
  'True',
  '\r',
  '\n',
  '\uFEFF',
  ' ',
);
/** Noise, JSON with the keys that formats look for, lines of it, and odd tables. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  tree.map((node) => JSON.stringify(node)),
  tree.map((node) => JSON.stringify({ results: node, benchmarks: node, context: {} })),
  fc.array(tree, { maxLength: 4 }).map((nodes) => nodes.map((node) => JSON.stringify(node)).join('\n')),
  fc
    .array(fc.array(cell, { maxLength: 4 }), { maxLength: 5 })
    .map((rows) => rows.map((row) => row.join()).join('\n')),
);
const names = fc.oneof(word, fc.array(word, { maxLength: 3 }));
export const hostileMapping = fc.record(
  { value: names, name: names, unit: word, better: fc.constantFrom('lower' as const, 'higher' as const) },
  { requiredKeys: [] },
);

/** A recorded text with a stretch of it replaced: closer to the truth than noise, so it gets further in. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.nat(), fc.nat(8), fc.oneof(cell, fc.constantFrom('[', '{', '}', 'null', '1e999', 'NaN')))
    .map(([text, at, length, other]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + other + text.slice(start + length);
    });
}
