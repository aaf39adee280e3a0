import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { folderFiles } from '../../../test/support/folder-files.ts';
import { nodeContext } from '../../cli/node-context.ts';
import type { MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import { loadWorkload } from './load-workload.ts';

const work = mkdtempSync(join(tmpdir(), 'load-'));
const { context, dispose } = nodeContext(process);
after(() => {
  dispose();
  rmSync(work, { recursive: true });
});
const put = (name: string, text: string) => {
  writeFileSync(join(work, name), text);
  return join(work, name);
};
const load = (file: string) => loadWorkload(file, context);

test('a module needs no import: what it exports is enough', async () => {
  const file = put(
    'plain.mjs',
    `export default {
      name: 'plain',
      async parse({ csv, regexp, yaml, config, curve, json, text, uuid, problem, folder }) {
        problem('something odd');
        return {
          ms: await csv('t.csv', 'ms', { reduce: 'max' }),
          last: await regexp('run.log', /took (\\d+)/, { type: 'number' }),
          memory: await yaml('c.yaml', '$.memory', { type: 'quantity' }),
          deep: (await config('c.yaml'))('a.b', 'none'),
          other: (await config('c.yaml'))('a.c', 'none'),
          curve: await curve('p.csv', 'x', 'y'),
          missing: await json('gone.json'),
          all: await text('run.log'),
          id: await uuid(),
          exit: folder.exitCode,
        };
      },
      rewriteSettings: (settings) => (settings.skip ? undefined : { ...settings, extra: 1 }),
      kpis: { ms: { help: 'h', unit: 'ms', value: ({ fields }) => fields.ms }, none: { help: 'h', unit: 's', value: () => undefined } },
    };`,
  );
  const dir = join(work, 'test');
  mkdirSync(dir);
  for (const [name, text] of Object.entries({
    't.csv': 'ms\n3\n5\n4\n',
    'run.log': 'took 7\ntook 9\n',
    'c.yaml': 'memory: 1Ki\na: { b: deep }\n',
    'p.csv': 'x,y\n1,2\n',
  })) {
    writeFileSync(join(dir, name), text);
  }
  const workload = await load(file);
  const { fields, problems } = await workload.parseOnce(folderFiles(dir));
  assert.deepEqual(fields, {
    ms: 5,
    last: 9,
    memory: 1024,
    deep: 'deep',
    other: 'none',
    curve: [{ x: [1], y: [2] }],
    all: 'took 7\ntook 9',
    exit: 0,
  });
  assert.deepEqual(problems, ['something odd', 'gone.json: gone.json is missing or cannot be read']);
  assert.equal(workload.rewriteSettings?.({ skip: true }, fields), undefined);
  const entry: MatrixEntry = {
    location: 'l',
    settings: {},
    importSettings: {},
    exitCode: 0,
    results: fields,
    problems,
  };
  assert.deepEqual(
    workload.kpis.map(({ definition, value }) => [definition.name, definition.better, value({}, entry)]),
    [
      ['ms', 'unknown', 5],
      ['none', 'unknown', null],
    ],
  );
});

test('a module outside of any package may import the helpers of this installation', async () => {
  const file = put(
    'helped.mjs',
    `import { defineWorkload } from 'nightmark/workload';
    export default defineWorkload({ name: 'helped', parse: async () => ({ x: 1 }) });`,
  );
  assert.equal((await load(file)).name, 'helped');
  const other = put('other.mjs', `import 'nightmark/other'; export default {};`);
  await assert.rejects(load(other), { code: 'WORKLOAD_UNUSABLE' });
});

test('a module that throws loses the fields of that test, with its message', async () => {
  const workload = await load(
    put('throws.mjs', `export default { name: 't', parse() { throw new Error('no luck'); } };`),
  );
  assert.deepEqual(await workload.parseOnce(folderFiles(work)), {
    fields: {},
    problems: ['parse failed: no luck'],
  });
});

test('what cannot be loaded is reported, with what to do', async () => {
  for (const [file, code, message] of [
    [join(work, 'gone.yml'), 'WORKLOAD_NO_FILE', /There is no workload .*gone\.yml/],
    [join(work, 'gone.mjs'), 'WORKLOAD_NO_FILE', /gone\.mjs/],
    [put('w.py', ''), 'WORKLOAD_UNKNOWN_KIND', /w\.py is not a workload file/],
    [put('syntax.mjs', 'export default {'), 'WORKLOAD_UNUSABLE', /syntax\.mjs cannot be loaded/],
    [put('import.mjs', `import 'not-installed';`), 'WORKLOAD_UNUSABLE', /not-installed/],
    [put('nothing.mjs', 'export const a = 1;'), 'WORKLOAD_UNUSABLE', /no workload as its default export/],
    [
      put('bad.yml', 'name: 1\nfields: {}\n'),
      'CONFIG_INVALID',
      /bad\.yml:1:7: name: expected a text, found 1/,
    ],
  ] as const) {
    await assert.rejects(load(file), (error: { code: string; message: string }) => {
      assert.equal(error.code, code, file);
      assert.match(error.message, message);
      return true;
    });
  }
});

const MODULE = `interface Fields { readonly [key: string]: number }
export default { name: 'typed' as const, parse: async (): Promise<Fields> => ({ a: 1 }) };`;

test('TypeScript is run by Node where it can, and by the compiler beside the module where not', async () => {
  const dir = join(work, 'node_modules/typescript');
  mkdirSync(dir, { recursive: true });
  // Stands for the compiler of TypeScript 5, whose interface it has: that one takes out types, this one two of them.
  writeFileSync(
    join(dir, 'index.js'),
    `exports.transpileModule = (text) => ({ outputText: text.replace(/^interface.*$/m, '').replace(' as const', '').replace(': Promise<Fields>', '') });`,
  );
  const workload = await load(put('typed.ts', MODULE));
  assert.deepEqual((await workload.parseOnce(folderFiles(work))).fields, { a: 1 });
  assert.deepEqual(
    readdirSync(work).filter((name) => name.startsWith('.')),
    [],
    'nothing is left beside it',
  );
});

const runsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript);

test('without a compiler it says what to do', {
  skip: runsTypeScript ? 'this Node runs TypeScript itself; run the tests with Node 20' : false,
}, async () => {
  const other = mkdtempSync(join(tmpdir(), 'load-'));
  const file = join(other, 'typed.ts');
  writeFileSync(file, MODULE);
  await assert.rejects(load(file), { code: 'WORKLOAD_TYPESCRIPT' });
  rmSync(other, { recursive: true });
});
