import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import csv from '../adapters/csv/csv.ts';
import googleBenchmark from '../adapters/google-benchmark/google-benchmark.ts';
import hyperfine from '../adapters/hyperfine/hyperfine.ts';
import json from '../adapters/json/json.ts';
import ndjson from '../adapters/ndjson/ndjson.ts';
import type { Format, ResultsRule } from '../core/format.ts';
import { readResults } from './read-results.ts';

const formats = [csv, googleBenchmark, hyperfine, json, ndjson];

function read(text: string, rule: Partial<ResultsRule> = {}, known: readonly Format[] = formats) {
  return readResults({ text, rule: { mapping: {}, ...rule }, origin: 'out.txt' }, known);
}

test('each kind of text finds its format', () => {
  const folder = `${process.cwd()}/src/formats/adapters`;
  const fixture = (path: string) => readFileSync(`${folder}/${path}`, 'utf8');
  assert.equal(read(fixture('hyperfine/fixtures/two-commands.ok.json')).format, 'hyperfine');
  assert.equal(read(fixture('google-benchmark/fixtures/repetitions.ok.json')).format, 'google-benchmark');
  assert.equal(read('a,b\n1,2\n').format, 'csv');
  assert.equal(read('time\n1.5\n').format, 'csv');
  assert.equal(read('{"a": 1}\n').format, 'json');
  assert.equal(read('{\n  "a": {\n    "b": 1\n  }\n}\n').format, 'json');
  assert.equal(read('[{"a": 1},\n{"a": 2}]').format, 'json');
  assert.equal(read('{"a": 1}\n{"a": 2}\n').format, 'ndjson');
});

test('the order of the formats does not decide between the generic ones', () => {
  for (const known of [formats, [...formats].reverse()]) {
    assert.equal(read('{"a": 1}\n{"a": 2}\n', {}, known).format, 'ndjson');
  }
});

test('the format of the rule is used, whatever the text looks like, and the mapping reaches it', () => {
  const { format, samples } = read('{"b": "x", "ms": 4}', {
    format: 'ndjson',
    mapping: { value: 'ms', unit: 'ms', better: 'lower' },
  });
  assert.equal(format, 'ndjson');
  assert.deepEqual(samples, [
    { benchmark: ['x'], metric: 'ms', unit: 's', better: 'lower', values: [0.004], settings: {} },
  ]);
});

test('an unknown format lists the known ones, the nearest first', () => {
  assert.throws(() => read('{}', { format: 'hyperfin' }), {
    code: 'IMPORT_UNKNOWN_FORMAT',
    message: 'out.txt: there is no format "hyperfin".',
    hint: /^Known are: hyperfine, /,
  });
});

test('text that nothing recognises says what was tried', () => {
  assert.throws(() => read('Hello, world!\nAll done.\n'), {
    code: 'IMPORT_UNRECOGNIZED',
    message: /begins with "Hello, world!/,
    hint: /^Tried: csv, google-benchmark, hyperfine, json, ndjson\./,
  });
  assert.throws(() => read(' \n'), { code: 'IMPORT_UNRECOGNIZED', message: 'out.txt: it is empty.' });
  assert.throws(() => read('x', {}, []), { code: 'IMPORT_UNRECOGNIZED' });
});

test('what a format refuses is reported with the place and the format', () => {
  assert.throws(() => read('{"a": 1', { format: 'json' }), {
    code: 'IMPORT_NOT_JSON',
    message: /^out\.txt, read as json: It is not valid JSON: .*line 1, column 8/,
    hint: /Write an object/,
  });
});

test('two special formats that may be meant are not chosen between', () => {
  const special = (id: string): Format => ({ ...json, id, recognizes: () => 'maybe' });
  assert.throws(() => read('{"a": 1}', {}, [special('one'), special('two'), json]), {
    code: 'IMPORT_AMBIGUOUS',
    message: 'out.txt: it could be any of one, two.',
  });
  assert.equal(read('{"a": 1}', {}, [json, special('one')]).format, 'one');
});

test('an error that is a bug of ours is not dressed up', () => {
  const broken: Format = {
    ...json,
    read() {
      throw new TypeError('a bug');
    },
  };
  assert.throws(() => read('{}', {}, [broken]), TypeError);
});
