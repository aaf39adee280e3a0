import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { NightmarkError } from '../../../platform/core/errors.ts';
import { toWorkload } from '../../core/workload/to-workload.ts';
import { parseWorkloadFile } from './workload-file.ts';

/** A workload with one field `a` and whatever else is told. */
const minimal = (more = '') => `name: w\nfields:\n  a: { file: a.json, json: $.a }\n${more}`;
const kpi = (more: string) =>
  minimal(`kpis:\n  k:\n    value: a\n    help: h\n    unit: s\n    better: lower\n${more}`);

function complaint(text: string): string {
  try {
    parseWorkloadFile('w.yml', text);
  } catch (error) {
    const { message, hint } = error as NightmarkError;
    return `${message} (${hint})`;
  }
  return 'fine';
}

test('the example is understood without a warning', () => {
  const file = 'examples/matrix-tiny/tiny.workload.yml';
  const { workload, problems } = parseWorkloadFile(file, readFileSync(file, 'utf8'));
  assert.deepEqual(problems, []);
  assert.deepEqual(workload.resultFields, ['throughput', 'memory_mb', 'samples']);
  assert.deepEqual(
    workload.metadata.map(({ name }) => name),
    ['lts_schema_version', 'start', 'end'],
  );
});

test('the smallest one: important files are those of the fields', () => {
  const { workload } = parseWorkloadFile('w.yml', minimal());
  assert.deepEqual(workload.importantFiles, ['.uuid', 'a.json']);
  assert.equal(toWorkload(workload).payload, undefined);
});

test('mistakes are reported with line, column, value and what to do', () => {
  for (const [text, expected] of [
    ['fields: {}', /^w\.yml:1:1: name: expected a text, found nothing/],
    [minimal('feilds: {}'), /^w\.yml:4:1: feilds is not a known key \(Did you mean "fields"\?\)/],
    [
      'name: w\nfields:\n  a: { file: a.json }',
      /^w\.yml:3:3: fields\.a: expected one of json, .*, found none/,
    ],
    ['name: w\nfields:\n  a: { file: a, json: $.a, csv: b }', /found json and csv/],
    [
      'name: w\nfields:\n  a: { file: a, json: "$.a[?(@)]" }',
      /^w\.yml:3:23: fields\.a\.json: expected a path like/,
    ],
    [
      'name: w\nfields:\n  a: { file: a, regex: "(a" }',
      /^w\.yml:3:24: fields\.a\.regex: expected a regular expression \(missing closing \): `\(a`\), found "\(a"/,
    ],
    [
      'name: w\nfields:\n  a: { file: a, regex: "(a+)(?= ms)" }',
      /fields\.a\.regex: expected a regular expression \(.*`\(\?=`\), found .* \(Lookaheads, .* are not supported\./,
    ],
    [
      'name: w\nfields:\n  a: { file: ../a, text: true }',
      /^w\.yml:3:14: .*expected a path inside of the test directory/,
    ],
    ['name: w\nfields:\n  a-b: { file: a, text: true }', /fields\.a-b cannot be the name of a field/],
    ['name: w\nfields:\n  a: { file: a, text: true, artifact: run }', /there is no artifact "run"/],
    ['name: w\nfields:\n  a: { file: a, text: true, type: float }', /expected one of text, number/],
    [
      'name: w\nfields:\n  a: { file: a, text: true }\n  a: { file: b, text: true }',
      /^w\.yml:4:3: the key "a" is there twice/,
    ],
    [minimal('results: [b]'), /^w\.yml:4:11: results\[0\]: there is no field "b"/],
    [minimal('settings: { compute: { n: b } }'), /settings\.compute\.n: there is no field "b"/],
    [
      minimal('labels: { l: { setting: s, value: 1 } }'),
      /expected one of setting, field and value, found setting and value/,
    ],
  ] as const) {
    assert.match(complaint(text), expected, text);
  }
});

test('the rules of KPIs: a divisor needs a format and a unit, a formula its fields', () => {
  assert.equal(complaint(kpi('')), 'fine');
  assert.equal(complaint(kpi('    format: "{:.1f}"\n    divisor: 1024\n    divisor-unit: GB\n')), 'fine');
  for (const [more, expected] of [
    ['    divisor: 1024\n    divisor-unit: GB\n', /^w\.yml:10:5: kpis\.k\.divisor needs a format/],
    ['    format: "{:.1f}"\n    divisor: 1024\n', /kpis\.k\.divisor needs a divisor-unit/],
    ['    divisor-unit: GB\n', /kpis\.k\.divisor-unit needs a divisor/],
    ['    divisor: 0\n', /kpis\.k\.divisor: expected a number other than 0/],
    ['    format: fast\n', /kpis\.k\.format has no place for the value/],
    ['    better: both\n', /the key "better" is there twice/],
    ['    help: again\n', /the key "help" is there twice/],
  ] as const) {
    assert.match(complaint(kpi(more)), expected, more);
  }
  const of = (lines: string) => minimal(`kpis:\n  k: ${lines}`);
  assert.match(complaint(of('{ unit: s, better: lower }')), /kpis\.k\.help: expected a text, found nothing/);
  assert.match(complaint(of('{ help: h, unit: s, better: both }')), /expected one of lower, higher/);
  assert.match(complaint(of('{ help: h, unit: s, better: lower }')), /kpis\.k: there is no field "k"/);
  assert.match(
    complaint(of('{ value: b / a, help: h, unit: s, better: lower }')),
    /^w\.yml:5:15: kpis\.k\.value: there is no field "b" \(Add it under "fields:". There are: test_uuid, a\.\)/,
  );
  assert.match(
    complaint(of('{ value: a +, help: h, unit: s, better: lower }')),
    /expected a number or a name at the end/,
  );
});

test('what the original refuses of a KPI is refused, and what it takes is taken', () => {
  const golden = JSON.parse(
    readFileSync('test/golden/matrix/expected/decorator_cases.json', 'utf8'),
  ) as Record<string, string>;
  const ours: Readonly<Record<string, string>> = {
    'lower before metadata': minimal('kpis:\n  k: { value: a, better: lower }\n'),
    'both directions': kpi('    better: higher\n'),
    'divisor without format': kpi('    divisor: 2\n    divisor-unit: x\n'),
    'divisor fmt + Format': kpi(
      '    divisor: 2\n    divisor-unit: x\n    format: "{:.1f}"\n    format: "{:.2f}"\n',
    ),
    'Format then divisor': kpi('    format: "{:.1f}"\n    divisor: 2\n    divisor-unit: x\n'),
    'duplicate name': `${kpi('')}  k: { value: a, help: h, unit: s, better: lower }\n`,
  };
  for (const [name, text] of Object.entries(ours)) {
    assert.equal(complaint(text) === 'fine', golden[name] === 'ok', `${name}: ${complaint(text)}`);
  }
});

test('a KPI without a direction is a warning, unless it is not judged', () => {
  const of = (more: string) =>
    parseWorkloadFile('w.yml', minimal(`kpis:\n  k: { value: a, help: h, unit: s${more} }`)).problems;
  assert.deepEqual(of(', ignored-for-regression: true'), []);
  assert.deepEqual(
    of('').map(({ severity, line, message }) => [severity, line, message]),
    [['warning', 5, 'kpis.k has no direction']],
  );
});

test('all mistakes of a file are reported at once', () => {
  const text =
    'name: w\nfields:\n  a: { file: a }\nlabels:\n  l: { field: b }\nkpis:\n  k: { value: c, help: h, unit: s }\n';
  assert.match(complaint(text), /^The definition has 3 problems:\nw\.yml:3:3.*\nw\.yml:5:15.*\nw\.yml:7:15/);
});

test('settings are rewritten in order: defaults, names, values, fields, dropped, gathered', () => {
  const { workload } = parseWorkloadFile(
    'w.yml',
    minimal(`settings:
  default: { engine: local, model: m0 }
  rename: { model: model_name }
  map: { model_name: { m1: llama }, debug: { 'true': 1 } }
  compute: { nodes: a, missing: test_uuid }
  drop: [tmp]
  gather: [seed]
plots:
  - { plot: lines, title: T, y: a }
`),
  );
  const { rewriteSettings, chosenPlots } = toWorkload(workload);
  assert.deepEqual(rewriteSettings?.({ model: 'm1', tmp: 1, seed: 3, debug: true }, { a: 2 }), {
    engine: 'local',
    model_name: 'llama',
    '@seed': 3,
    debug: 1,
    nodes: 2,
  });
  assert.deepEqual(chosenPlots, [{ plot: 'lines', options: { title: 'T', y: 'a' } }]);
});

test('the version is about reading: another path is another one, another KPI or label is not', () => {
  const version = (text: string) => toWorkload(parseWorkloadFile('w.yml', text).workload).version;
  assert.equal(version(minimal()), version(kpi('')));
  assert.notEqual(version(minimal()), version(minimal().replace('$.a', '$.b')));
  assert.notEqual(version(minimal()), version(minimal('artifacts: { run: "*__run" }')));
});
