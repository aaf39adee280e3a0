import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alternatives, type JsonSchema } from '../../platform/config/schema-walk.ts';
import { fieldsOf } from '../config/definition-fields.ts';
import {
  duetBlocks,
  duetTables,
  jsonSchemas,
  matrixTables,
  referenceTables,
  workloadFields,
  workloadTable,
} from './reference.ts';

const AGAIN = 'Run "npm run build && node scripts/schema.mjs".';

test('the published schemas are those of the program', () => {
  const schemas = jsonSchemas();
  assert.deepEqual(readdirSync('schema').sort(), Object.keys(schemas).sort(), AGAIN);
  for (const [name, schema] of Object.entries(schemas)) {
    assert.equal(
      readFileSync(`schema/${name}`, 'utf8'),
      `${JSON.stringify(schema, null, 2)}\n`,
      `${name}: ${AGAIN}`,
    );
  }
});

test('every key of plots.yaml and of a matbench block says what it means', () => {
  const silent: string[] = [];
  const look = (schema: JsonSchema, path: string) => {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      if (inner.description === undefined) silent.push(`${path}.${key}`);
      for (const place of alternatives(inner)) look(place.items ?? place, `${path}.${key}`);
    }
  };
  const schemas = jsonSchemas();
  for (const name of ['plots.schema.json', 'matbench.schema.json', 'notice.schema.json'])
    look(schemas[name] ?? {}, name);
  assert.deepEqual(silent, []);
});

for (const [page, dialect] of [
  ['nightmark-yml', 'native'],
  ['dashboard-config', 'dashboard'],
] as const) {
  test(`the tables of ${page}.md are those of the program`, () => {
    const text = readFileSync(`docs/reference/${page}.md`, 'utf8');
    assert.ok(text.endsWith(`\n${referenceTables(dialect)}`), AGAIN);
  });

  test(`every key of ${page}.md says what it means`, () => {
    const silent = fieldsOf(dialect).filter(({ description }) => description === '');
    assert.deepEqual(
      silent.map(({ scope, key }) => `${scope} ${key}`),
      [],
    );
  });
}

test('the tables of duet-yml.md are those of the program', () => {
  const text = readFileSync('docs/reference/duet-yml.md', 'utf8');
  assert.ok(text.endsWith(`\n${duetTables()}`), AGAIN);
});

test('the table of matrix-file.md is that of the program, and every key says what it means', () => {
  const text = readFileSync('docs/reference/matrix-file.md', 'utf8');
  assert.ok(text.endsWith(`\n${matrixTables()}`), AGAIN);
  assert.doesNotMatch(matrixTables(), /\| {2}\|$/m);
});

test('every key of duet-yml.md says what it means', () => {
  const silent = Object.values(duetBlocks())
    .flat()
    .filter(({ description }) => description === '');
  assert.deepEqual(silent, []);
});

test('the table of workload-yml.md is that of the program, and every key says what it means', () => {
  const text = readFileSync('docs/reference/workload-yml.md', 'utf8');
  assert.ok(text.endsWith(`\n${workloadTable()}`), AGAIN);
  assert.deepEqual(
    workloadFields().filter(({ description }) => description === ''),
    [],
  );
});

test('the schema of duet.yml names the keys of duetbench and refuses others; further blocks may hold anything', () => {
  const schema = jsonSchemas()['duet.schema.json'];
  assert.deepEqual(schema?.required, ['duetbench']);
  assert.deepEqual(schema?.properties?.['duetbench']?.required, ['duets']);
  assert.equal(schema?.properties?.['duetbench']?.additionalProperties, false);
  assert.notEqual(schema?.additionalProperties, false);
});

test('the schema names the keys and refuses others', () => {
  const schema = jsonSchemas()['nightmark.schema.json'];
  assert.equal(schema?.additionalProperties, false);
  assert.deepEqual(schema?.properties?.['order']?.enum, ['random', 'priority', 'given']);
  assert.equal(schema?.properties?.['order']?.default, 'random');
  const top = jsonSchemas()['dashboard-home.schema.json'];
  assert.deepEqual(top?.required, ['tmp_data_dir', 'backup_dir', 'setup_dir']);
  assert.notEqual(top?.additionalProperties, false);
});
