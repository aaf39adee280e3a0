import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { nodeContext } from '../../src/cli/node-context.ts';
import type { MatrixEntry, Settings } from '../../src/formats/core/kpi/matrix-entry.ts';
import type { Workload } from '../../src/formats/core/kpi/workload.ts';
import { loadWorkload } from '../../src/matrix/cli/load-workload.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import { folderFiles, goldenTests } from '../support/folder-files.ts';

const work = mkdtempSync(join(tmpdir(), 'workloads-'));
const { context, dispose } = nodeContext(process);
after(() => {
  dispose();
  rmSync(work, { recursive: true });
});

const golden = JSON.parse(readFileSync('test/golden/matrix/expected/lts_payload.json', 'utf8')) as readonly {
  readonly metadata: JsonObject;
  readonly results: JsonObject;
  readonly kpis: Readonly<Record<string, JsonObject>>;
}[];

async function entryOf(workload: Workload, dir: string, settings: Settings = {}): Promise<MatrixEntry> {
  const { fields, problems } = await workload.parseOnce(folderFiles(dir, { settings, ...workload }));
  const rewritten = workload.rewriteSettings?.(settings, fields) ?? settings;
  return {
    location: dir,
    settings: rewritten,
    importSettings: settings,
    exitCode: 0,
    results: fields,
    problems,
  };
}

/** What the workload contributes to the document of a test. */
function document({ payload, kpis }: Workload, entry: MatrixEntry) {
  const labels = payload?.labels(entry) ?? {};
  return {
    metadata: { ...payload?.metadata(entry), settings: labels, exit_code: entry.exitCode },
    results: payload?.results(entry),
    kpis: Object.fromEntries(
      kpis.map(({ definition, value }) => {
        const { help, unit, better, isIgnoredForRegression, format, divisor, divisorUnit } = definition;
        const facts = {
          help,
          unit,
          ignored_for_regression: isIgnoredForRegression,
          format: format ?? null,
          full_format: null,
          divisor: divisor ?? null,
          divisor_unit: divisorUnit ?? null,
          lower_better: better === 'lower',
        };
        const record = {
          ...facts,
          ...labels,
          '@timestamp': `${entry.results['start']}.000000Z`,
          test_uuid: entry.results['test_uuid'],
          value: value({}, entry),
        };
        return [definition.name, record];
      }),
    ),
  };
}

for (const file of ['examples/matrix-tiny/tiny.workload.yml', 'examples/matrix-tiny/tiny.workload.mjs']) {
  const workload = await loadWorkload(file, context);

  test(`${file}: gives the payloads of the original`, async () => {
    const entries = await Promise.all(
      goldenTests().map(({ dir, settings }) => entryOf(workload, dir, settings)),
    );
    assert.deepEqual(
      entries.flatMap(({ problems }) => problems),
      [],
    );
    const documents = entries.map((entry) => document(workload, entry));
    const byId = (all: readonly { readonly metadata: JsonObject }[]) =>
      [...all].sort((a, b) => String(a.metadata['test_uuid']).localeCompare(String(b.metadata['test_uuid'])));
    assert.equal(documents.length, 4);
    assert.deepEqual(byId(documents as typeof golden), byId(golden));
  });

  test(`${file}: names labels, types and what is compared`, () => {
    assert.deepEqual(workload.payload?.labelTypes['version'], 'semver');
    assert.deepEqual(workload.payload?.labelTypes['virtual_users'], 'integer');
    assert.deepEqual(workload.payload?.resultTypes, {
      throughput: 'number',
      memory_mb: 'number',
      samples: 'numbers',
    });
    assert.deepEqual(workload.comparison, {
      comparisonKeys: ['version'],
      ignoredKeys: [],
      sortingKeys: ['model_name', 'virtual_users'],
      ignoredEntries: { virtual_users: [128] },
    });
    assert.deepEqual(workload.importantFiles, ['.uuid', 'config.yaml', '*__run/result.json']);
  });

  test(`${file} 1: the same files give the same fields`, async () => {
    const [first] = goldenTests();
    const [once, again] = await Promise.all(
      [1, 2].map(() => workload.parseOnce(folderFiles(first?.dir ?? ''))),
    );
    assert.deepEqual(once, again);
    assert.equal(JSON.stringify(once?.fields), JSON.stringify(JSON.parse(JSON.stringify(once?.fields))));
  });

  for (const [what, text] of [
    ['missing', undefined],
    ['broken', '{"throughput": 1'],
    ['of another shape', '[1, 2]'],
    [
      'with values of other types',
      '{"throughput": "fast", "memory_mb": null, "samples": [1, "x"], "start": 7}',
    ],
  ] as const) {
    test(`${file} 2: a file that is ${what} loses its fields, each with a problem that names it`, async () => {
      const dir = join(work, `${file.replaceAll('/', '-')}-${what}`);
      cpSync('test/golden/matrix/results/expe/000__m1_4', dir, { recursive: true });
      const result = join(dir, '000__run/result.json');
      rmSync(result);
      if (text !== undefined) writeFileSync(result, text);
      const { results, problems } = await entryOf(workload, dir);
      assert.equal(results['test_uuid'], '00000000-0000-4000-8000-00000000abc0', 'other files are not lost');
      assert.equal(results['throughput'], undefined);
      for (const field of ['throughput', 'memory_mb', 'samples', 'start']) {
        assert.ok(
          problems.some((problem) => problem.includes(field) && problem.includes('result.json')),
          `${field}: ${problems.join('; ')}`,
        );
      }
    });
  }

  test(`${file} 3: another text is another version, the same text the same`, async () => {
    const dir = join(work, `version-${file.endsWith('yml')}`);
    mkdirSync(dir);
    const text = readFileSync(file, 'utf8').replaceAll(
      "'nightmark/workload'",
      `'${resolve('dist/src/matrix/client/index.js')}'`,
    );
    const copies = [text, text, text.replace('$.throughput', '$.other')].map((content, index) => {
      const copy = join(dir, `${index}.${file.split('.').at(-1)}`);
      writeFileSync(copy, content);
      return copy;
    });
    const versions = await Promise.all(
      copies.map(async (copy) => (await loadWorkload(copy, context)).version),
    );
    assert.equal(versions[0], versions[1]);
    assert.notEqual(versions[0], versions[2]);
  });
}

test('a test without .uuid has an id made of path and settings, in the form of a UUID v4', async () => {
  const workload = await loadWorkload('examples/matrix-tiny/tiny.workload.yml', context);
  const dir = join(work, 'no-uuid');
  cpSync('test/golden/matrix/results/expe/000__m1_4', dir, { recursive: true });
  rmSync(join(dir, '.uuid'));
  const entry = await entryOf(workload, dir, { model_name: 'm1' });
  assert.deepEqual(entry.problems, []);
  const id = (of: MatrixEntry) => String(workload.payload?.metadata(of)['test_uuid']);
  assert.match(id(entry), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(id(entry), id({ ...entry, settings: { model_name: 'm1' } }));
  assert.notEqual(id(entry), id({ ...entry, settings: { model_name: 'm2' } }));
});
