import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type Format,
  type FormatReading,
  opinionOf,
  type ResultMapping,
} from '../../src/formats/core/format.ts';
import { NightmarkError } from '../../src/platform/core/errors.ts';
import { damaged, hostileMapping, hostileText } from './hostile-results.ts';

const GENERIC = ['csv', 'json', 'ndjson'];
const HEAD = 65_536;
const folder = join(process.cwd(), 'src/formats/adapters');
const ids = readdirSync(folder);
const MAX_EXACT = 2 ** 53;
/** npm test -- contracts/formats --update: what is read now becomes what is expected. `git diff` shows what changed. */
const isUpdate = process.env['NIGHTMARK_TEST_UPDATE'] === '1';
const HOW_TO_RECORD =
  'Record it with "npm test -- contracts/formats --update", then read it before you commit it.';

test('there are formats to judge', () => assert.ok(ids.length >= 5));

for (const id of ids) {
  const url = pathToFileURL(join(process.cwd(), 'dist/src/formats/adapters', id, `${id}.js`)).href;
  const format = ((await import(url)) as { default: Format }).default;
  const fixtures = readdirSync(join(folder, id, 'fixtures'));
  const good = fixtures.filter((file) => file.includes('.ok.'));
  const bad = fixtures.filter((file) => file.includes('.bad.'));

  test(`${id}: the folder is the id, with a title, a README, good and bad fixtures`, () => {
    assert.equal(format.id, id);
    assert.notEqual(format.title, '');
    assert.ok(existsSync(join(folder, id, 'README.md')));
    assert.ok(good.length > 0 && bad.length > 0);
  });

  for (const file of good) {
    test(`${id} 1: ${file} is recognised and reads to what is expected`, () => {
      const text = fixture(id, file);
      const sure = opinionOf(format, text.slice(0, HEAD));
      assert.ok(sure === 'sure' || (GENERIC.includes(id) && sure === 'maybe'), `it is ${sure}`);
      assertExpected(format.read(text, mappingOf(id, file)), id, file.replace(/\.ok\..*$/, '.expected.json'));
    });
    test(`${id} 3: ${file} cut off anywhere is read in part or refused`, () => {
      const text = fixture(id, file);
      const whole = count(format.read(text, mappingOf(id, file)));
      for (let length = 0; length < text.length; length += Math.ceil(text.length / 50)) {
        const reading = readOrRefuse(format, text.slice(0, length), mappingOf(id, file));
        if (reading) assert.ok(reading.samples.flatMap(({ values }) => values).length <= whole);
      }
    });
  }

  const { readRuns } = format;
  if (readRuns) {
    const recorded = good.filter((file) => fixtures.includes(runsFile(file)));
    const withRuns = recorded.length === 0 && isUpdate ? good : recorded;
    test(`${id} 5: a fixture says what its runs are`, () => assert.ok(withRuns.length > 0, HOW_TO_RECORD));
    for (const file of withRuns) {
      test(`${id} 5: ${file} reads to its runs`, () =>
        assertExpected(readRuns(fixture(id, file), {}, ''), id, runsFile(file)));
    }
    for (const file of bad) {
      test(`${id} 5: ${file} has no runs`, () =>
        assert.throws(() => readRuns(fixture(id, file), {}, ''), isRefusal));
    }
    test(`${id} 5: whatever the text and what lies beside it, nothing but a refusal is thrown`, () => {
      const recorded = fc.constantFrom(...good.map((file) => fixture(id, file)));
      fc.assert(
        fc.property(fc.oneof(hostileText, damaged(recorded)), hostileText, (text, other) => {
          const beside = Object.fromEntries((format.companions ?? []).map((name) => [name, other]));
          try {
            for (const { at } of readRuns(text, beside, ''))
              assert.ok(at === undefined || Number.isFinite(at));
          } catch (error) {
            assert.ok(isRefusal(error), String(error instanceof Error ? error.stack : error));
          }
        }),
        { numRuns: 200, seed: 3 },
      );
    });
  }

  const { readIterations, iterationColumns } = format;
  if (readIterations) {
    for (const file of good) {
      test(`${id} 4: ${file} reads to iterations, as many in each column, nothing rounded`, () => {
        const text = fixture(id, file);
        const reading = readIterations(text);
        assert.ok(reading.numbers.length > 0);
        for (const column of [reading.times, reading.starts, reading.ends, ...reading.extra.values()])
          assert.equal(column?.length ?? reading.numbers.length, reading.numbers.length);
        for (const column of [reading.times, reading.starts, reading.ends])
          assert.ok(column?.every((ns) => Number.isInteger(ns) && Math.abs(ns) < MAX_EXACT) ?? true);
        const announced = iterationColumns?.(text.slice(0, HEAD)) ?? [];
        const surprising = [...reading.extra.keys()].filter(
          (name) => name !== 'benchmark' && !announced.includes(name),
        );
        assert.deepEqual(surprising, [], 'columns that iterationColumns does not name');
      });
    }
    for (const file of bad) {
      test(`${id} 4: ${file} has no iterations`, () =>
        assert.throws(() => readIterations(fixture(id, file)), isRefusal));
    }
  }

  for (const file of bad) {
    test(`${id} 2: ${file} is refused with a code and a hint`, () => {
      assert.throws(() => format.read(fixture(id, file), mappingOf(id, file)), isRefusal);
    });
  }

  test(`${id}: the same text gives the same reading`, () => {
    for (const file of good) {
      const [text, mapping] = [fixture(id, file), mappingOf(id, file)];
      assert.deepEqual(format.read(text, mapping), format.read(text, mapping));
    }
  });

  test(`${id} 2: whatever the text and the mapping, nothing but a refusal is thrown and no value is not finite`, () => {
    const recorded = fc.constantFrom(...good.map((file) => fixture(id, file)));
    fc.assert(
      fc.property(fc.oneof(hostileText, damaged(recorded)), hostileMapping, (text, mapping) => {
        opinionOf(format, text.slice(0, HEAD));
        const reading = readOrRefuse(format, text, mapping);
        for (const { values } of reading?.samples ?? []) {
          assert.ok(values.length > 0 && values.every(Number.isFinite));
        }
      }),
      { numRuns: 400, seed: 2 },
    );
  });

  test(`${id} 2: a hostile size or depth is refused or read, quickly enough to finish`, () => {
    const deep = 100_000;
    const texts = [
      '['.repeat(deep),
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `{"results":[{"command":"a","times":${'['.repeat(deep)}${']'.repeat(deep)}}]}`,
      `{"results":[{"command":"a","times":[1],"parameters":{"p":${'['.repeat(deep)}${']'.repeat(deep)}}}]}`,
      `{"context":{},"benchmarks":[{"name":"a","real_time":1,"cpu_time":1,"c":${'['.repeat(deep)}${']'.repeat(deep)}}]}`,
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
      `a,b\n${'1'.repeat(1_000_000)}x,2\n`,
      `a\n${'"'.repeat(100_001)}`,
      `${','.repeat(50_000)}\n${'1,'.repeat(50_000)}`,
      '\u0000'.repeat(1_000),
      ' '.repeat(HEAD),
      `{"a":1}${' '.repeat(HEAD)}`,
      '"'.repeat(HEAD - 1),
      `a,b\n${'"x'.repeat(HEAD / 2 - 3)}`,
      `${'{"results"'.repeat(6_000)}`,
    ];
    for (const text of texts) {
      opinionOf(format, text.slice(0, HEAD));
      readOrRefuse(format, text, {});
    }
  });
}

test('no special format is sure of a fixture of another one', async () => {
  // The tables of both harnesses are alike: docs/reference/formats.md says which is chosen.
  const alike = new Set(['dacapo', 'scalabench']);
  const special = ids.filter((one) => !GENERIC.includes(one));
  for (const id of special) {
    const url = pathToFileURL(join(process.cwd(), 'dist/src/formats/adapters', id, `${id}.js`)).href;
    const format = ((await import(url)) as { default: Format }).default;
    for (const other of special.filter((one) => one !== id && !(alike.has(one) && alike.has(id)))) {
      const good = readdirSync(join(folder, other, 'fixtures')).filter((file) => file.includes('.ok.'));
      for (const file of good)
        assert.notEqual(
          opinionOf(format, fixture(other, file).slice(0, HEAD)),
          'sure',
          `${id}: ${other}/${file}`,
        );
    }
  }
});

test('docs/reference/formats.md has a row for every format', () => {
  const text = readFileSync('docs/reference/formats.md', 'utf8');
  const [, rows = ''] = /^\| format \| reads \| samples are \|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const named = rows
    .split('\n')
    .flatMap((row) => (row.split('|')[1] ?? '').match(/(?<=`)[\w-]+(?=`)/g) ?? []);
  assert.deepEqual(named.sort(), [...ids].sort());
});

/** What a fixture reads to is what its file says; with --update the file is written where it differs. */
function assertExpected(reading: unknown, id: string, file: string): void {
  // Through JSON, so that a NaN or an undefined that slipped in is a difference.
  const actual = JSON.parse(JSON.stringify(reading)) as unknown;
  const path = join(folder, id, 'fixtures', file);
  const expected = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : undefined;
  if (!isUpdate || isDeepStrictEqual(actual, expected)) {
    assert.notEqual(expected, undefined, `${file} is missing. ${HOW_TO_RECORD}`);
    assert.deepEqual(actual, expected);
    return;
  }
  writeFileSync(path, `${JSON.stringify(actual, null, 2)}\n`);
  console.log(`wrote ${relative(process.cwd(), path)}`);
}

function fixture(id: string, file: string): string {
  return readFileSync(join(folder, id, 'fixtures', file), 'utf8');
}

function runsFile(file: string): string {
  return file.replace(/\.ok\..*$/, '.runs.json');
}

/** A fixture NAME.ok.* or NAME.bad.* may have a NAME.mapping.json. */
function mappingOf(id: string, file: string): ResultMapping {
  const path = file.replace(/\.(?:ok|bad)\..*$/, '.mapping.json');
  return existsSync(join(folder, id, 'fixtures', path))
    ? (JSON.parse(fixture(id, path)) as ResultMapping)
    : {};
}

function readOrRefuse(format: Format, text: string, mapping: ResultMapping): FormatReading | undefined {
  try {
    return format.read(text, mapping);
  } catch (error) {
    assert.ok(isRefusal(error), `not a refusal: ${error instanceof Error ? error.stack : String(error)}`);
    return undefined;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof NightmarkError && error.code.startsWith('IMPORT_') && (error.hint ?? '') !== '';
}

function count({ samples, failed, skipped }: FormatReading): number {
  return samples.flatMap(({ values }) => values).length + failed.length + skipped.length;
}
