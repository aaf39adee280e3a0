import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMatbenchFile } from './matbench-file.ts';

test('what is not set has the value of the specification', () => {
  const { block, warnings } = parseMatbenchFile('c.yaml', 'matbench: {workload: w.yml}\n');
  assert.deepEqual(warnings, []);
  assert.deepEqual(block, {
    preset: null,
    workload: 'w.yml',
    configFile: 'plots.yaml',
    testDirectory: null,
    download: { mode: 'prefer_cache', url: null, urlFile: null, savesToArtifacts: false },
    payloads: true,
    horreumTest: null,
    opensearch: {
      instance: null,
      index: null,
      indexPrefix: '',
      promIndexSuffix: '-prom',
      isExported: false,
      isExportedOnReplot: false,
      failsTest: true,
    },
    regression: { isEnabled: false, failsTest: false, history: null },
  });
});

test('every key of the block is read, old booleans too, and the rest of the file is not looked at', () => {
  const text = `
cluster: {matbench: 1}
matbench:
  preset: hf
  workload: w.yml
  config_file: p.yaml
  download: {mode: all, url: http://x/, url_file: u.yaml, save_to_artifacts: yes}
  test_directory: out
  lts:
    generate: no
    horreum: {test_name: h}
    opensearch:
      export: {enabled: yes, enabled_on_replot: on, fail_test_on_fail: off}
      instance: smoke
      index: i
      index_prefix: p-
      prom_index_suffix: -q
    regression_analyses: {enabled: true, fail_test_on_regression: true}
`;
  const { block, warnings } = parseMatbenchFile('c.yaml', text);
  assert.deepEqual(warnings, []);
  assert.equal(block.preset, 'hf');
  assert.deepEqual(block.download, {
    mode: 'all',
    url: 'http://x/',
    urlFile: 'u.yaml',
    savesToArtifacts: true,
  });
  assert.equal(block.payloads, false);
  assert.equal(block.horreumTest, 'h');
  assert.deepEqual(block.opensearch, {
    instance: 'smoke',
    index: 'i',
    indexPrefix: 'p-',
    promIndexSuffix: '-q',
    isExported: true,
    isExportedOnReplot: true,
    failsTest: false,
  });
  assert.deepEqual(block.regression, { isEnabled: true, failsTest: true, history: null });
});

test('an unknown key is a warning with its position', () => {
  const { warnings } = parseMatbenchFile('c.yaml', 'matbench:\n  workload: w\n  lts:\n    generat: false\n');
  assert.deepEqual(warnings, [
    {
      severity: 'warning',
      file: 'c.yaml',
      line: 4,
      column: 5,
      message: 'matbench.lts.generat is unknown and is ignored',
      hint: 'Did you mean "generate"?',
    },
  ]);
});

test('a wrong value is refused with its position', () => {
  assert.throws(() => parseMatbenchFile('c.yaml', 'matbench:\n  workload: w\n  lts: {generate: 3}\n'), {
    code: 'CONFIG_INVALID',
    message: 'c.yaml:3:19: matbench.lts.generate: expected true or false, found 3',
  });
  assert.throws(() => parseMatbenchFile('c.yaml', 'a: 1\n'), { message: /it has no block "matbench:"/ });
});
