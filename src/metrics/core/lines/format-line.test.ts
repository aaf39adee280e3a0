import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatLines, type LineFields, type LineTags, metricIdText } from './format-line.ts';

const lines = (fields: LineFields, tags: LineTags = {}, measurement = 'm') =>
  formatLines({ measurement, tags, fields }).join('\n');

test('writes the bytes of pytelegraf where those are right', () => {
  assert.equal(lines({ value: 123n }, {}, 'test_metric'), 'test_metric value=123i');
  const several = { value_c: true, value_b: 100n, value_a: 100n };
  assert.equal(lines(several, {}, 'test_metric'), 'test_metric value_a=100i,value_b=100i,value_c=True');
  assert.equal(lines({ value: 123n }, { server_name: 'my-server' }), 'm,server_name=my-server value=123i');
  assert.equal(lines({ value: 0.46 }, {}, 'training_loss'), 'training_loss value=0.46');
  assert.equal(lines({ value: Number.NaN }), 'm value=nan');
  assert.equal(lines({ value: Number.POSITIVE_INFINITY }), 'm value=inf');
  assert.equal(lines({ value: 'two\nlines' }), 'm value="two\nlines"');
  assert.equal(lines({ value: 1 }, { b: true, i: 3 }), 'm,b=True,i=3 value=1.0');
  assert.equal(lines({ value: 1e-7 }), 'm value=1e-07');
  assert.equal(lines({ value: 1e22 }), 'm value=1e+22');
  assert.equal(lines({ value: -0 }), 'm value=-0.0');
  assert.equal(lines({ 'a b': 1n }, { 'k,1': 'v=1 2' }, 'a,b c'), 'a\\,b\\ c,k\\,1=v\\=1\\ 2 a\\ b=1i');
});

test('is right where pytelegraf is not', () => {
  assert.equal(lines({ value: 'say "hi"' }), 'm value="say \\"hi\\""');
  assert.equal(lines({ value: 'back\\slash\\' }), 'm value="back\\\\slash\\\\"');
  assert.equal(lines({ a: null, b: undefined }), '');
  assert.equal(lines({ a: null, b: 2n }), 'm b=2i');
  assert.equal(lines({ value: 1n }, { empty: '', n: null, u: undefined }), 'm value=1i');
  assert.equal(lines({ value: 1n }, { k: 'v\\', '\\': 'x', y: '\\\\' }), 'm,k=v value=1i');
  assert.equal(lines({ value: 1n }, { k: 'a\\,b' }), 'm,k=a\\\\\\,b value=1i');
  assert.equal(lines({ value: 1n }, { k: 'a\nb' }), 'm,k=a\\nb value=1i');
  assert.equal(lines({ value: 10n ** 20n }), 'm value=1e+20');
  assert.equal(lines({ value: -(2n ** 63n) }), 'm value=-9223372036854775808i');
  assert.equal(lines({ value: 1n }, {}, '#no comment'), '\\#no\\ comment value=1i');
  assert.equal(lines({ value: 1n }, {}, ''), '');
});

test('a value that is not finite does not take the others of its line with it', () => {
  const at = { ms: 1_500_000_000_000, ns: 7 };
  assert.deepEqual(formatLines({ measurement: 'm', fields: { b: 1n, a: Number.NaN, c: true }, at }), [
    'm b=1i,c=True 1500000000000000007',
    'm a=nan 1500000000000000007',
  ]);
});

test('sorts by code point, as Python does', () => {
  assert.equal(lines({ '\u{1F600}': 1n, '\uFF5E': 2n, a: 3n, '': 4n }), 'm a=3i,\uFF5E=2i,\u{1F600}=1i');
});

test('no name or text of any kind makes a second line, or a second part of one', () => {
  const unit = fc.constantFrom(...'ab\\,= "\n\r#');
  const name = fc.string({ minLength: 1, unit }).filter((text) => !/^\\+$/.test(text));
  fc.assert(
    fc.property(name, name, name, name, (measurement, tag, value, field) => {
      const [line = ''] = formatLines({ measurement, tags: { [tag]: value }, fields: { [field]: 1n } });
      assert.doesNotMatch(line, /[\n\r]/);
      // As InfluxDB scans: a backslash takes the next character with it.
      const parts = line.replace(/\\./g, '__').split(' ');
      assert.equal(parts.length, 2, line);
      assert.equal((parts[0] ?? '').split(',').length, 2, line);
      assert.match(parts[1] ?? '', /^[^=]+=1i$/);
      // As InfluxDB does elsewhere: only the character before counts.
      assert.equal(line.split(/(?<!\\) /).length, 2, line);
      assert.equal(line.split(/(?<!\\),/).length, 2, line);
    }),
  );
});

test('the text of a metric id is that of json.dumps with sorted keys', () => {
  assert.equal(
    metricIdText('loss', { split: 'Zürich', '10': 1, '9': true, x: null }),
    '{"10": 1, "9": true, "measurement": "loss", "split": "Z\\u00fcrich", "x": null}',
  );
  assert.equal(metricIdText('loss', {}, 3), '{"measurement": "loss", "worker": 3}');
});
