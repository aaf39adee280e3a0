import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFlatYaml, parseFully, parseYamlValue } from './parse-yaml.ts';

test('reads as Python tools do: yes is true, days are texts, the last key wins', () => {
  assert.deepEqual(parseYamlValue('a: yes\nb: 2024-09-02\nc: 1.13.0\nd: 1.5\na: off\ne: [1, x]\n'), {
    ...{ a: false, b: '2024-09-02', c: '1.13.0', d: 1.5, e: [1, 'x'] },
  });
  assert.equal(parseYamlValue('# nothing\n'), null);
});

test('words that only YAML itself takes for something else stay texts', () => {
  assert.deepEqual(parseYamlValue('n: y\ncommit: 1234e56\nx: [N, 1e3, 1.5e+3, On]\n'), {
    ...{ n: 'y', commit: '1234e56', x: ['N', '1e3', 1500, true] },
  });
});

test('says where it cannot be read', () => {
  assert.throws(() => parseYamlValue('a: [1,\nb: 2'), { code: 'MATRIX_BAD_YAML', message: /line 2/ });
  assert.throws(() => parseYamlValue('['.repeat(5000)), { code: 'MATRIX_BAD_YAML', message: /deep/ });
});

test('the quick way reads flat files as the parser does, or leaves them to it', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[\w.+-]{1,8}$/),
    fc.stringMatching(/^\d{1,3}(\.\d{1,3}){0,3}$/),
    fc.constantFrom(
      'yes',
      'No',
      'null',
      '0x1f',
      '010',
      '1_000',
      '1e3',
      '+4',
      '.5',
      '2024-01-01',
      'a/b',
      'NaN',
      '-',
    ),
  );
  const line = fc
    .tuple(fc.stringMatching(/^[A-Za-z_][\w-]{0,6}$/), word)
    .map(([key, value]) => `${key}: ${value}\n`);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const quick = parseFlatYaml(lines.join(''));
      if (quick !== undefined) assert.deepEqual(quick, parseFully(lines.join('')));
    }),
    { seed: 4, numRuns: 3000 },
  );
  assert.deepEqual(parseFlatYaml('model: m1\nusers: 4\nversion: 1.13.0\n'), {
    ...{ model: 'm1', users: 4, version: '1.13.0' },
  });
});
