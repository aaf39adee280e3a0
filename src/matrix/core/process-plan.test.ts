import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProcessPlace, planProcess } from './process-plan.ts';
import type { MatbenchBlock } from './process-step.ts';

const BLOCK: MatbenchBlock = {
  preset: null,
  workload: 'w.yml',
  configFile: 'plots.yaml',
  testDirectory: null,
  download: { mode: 'prefer_cache', url: null, urlFile: null, savesToArtifacts: false },
  payloads: true,
  horreumTest: null,
  opensearch: {
    ...{ instance: 'smoke-1', index: 'i', indexPrefix: 'p-', promIndexSuffix: '-prom' },
    ...{ isExported: false, isExportedOnReplot: false, failsTest: true },
  },
  regression: { isEnabled: false, failsTest: false, history: null },
};
const PLACE: ProcessPlace = { base: '/c', out: '/o', env: {} };
const SERVER = {
  NIGHTMARK_OPENSEARCH_SMOKE_1_URL: 'https://s:9200',
  NIGHTMARK_OPENSEARCH_SMOKE_1_USER: 'me',
};

function planned(block: Partial<MatbenchBlock>, place: Partial<ProcessPlace>, name: string) {
  const step = planProcess({ ...BLOCK, ...block }, { ...PLACE, ...place }).find((it) => it.name === name);
  assert.ok(step);
  const { action } = step;
  return {
    ...step,
    text: action.type === 'command' ? action.args.join(' ') : `${action.type}: ${action.reason}`,
  };
}

test('the folder of the caller takes precedence over that of the file, and nothing is downloaded then', () => {
  const block = { testDirectory: 'mine', preset: 'http://x/y' };
  assert.equal(planned(block, { testDirectory: '/t' }, 'parse').text, 'matrix parse -w /c/w.yml -- /t');
  assert.equal(planned(block, {}, 'parse').text, 'matrix parse -w /c/w.yml -- /c/mine');
  assert.equal(planned(block, {}, 'download').text, 'skip: the results are already on this machine');
});

test('a preset is a file of plots and addresses, or an address', () => {
  const end = '--mode prefer_cache -w /c/w.yml -- /c/.nightmark/downloads';
  assert.equal(
    planned({ preset: 'hf' }, {}, 'download').text,
    `matrix download --url-file /c/hf.yaml ${end}`,
  );
  assert.match(planned({ preset: 'hf' }, {}, 'visualize').text, /--plots \/c\/hf\.yaml/);
  assert.equal(planned({ preset: 's3://b/p' }, {}, 'download').text, `matrix download --url s3://b/p ${end}`);
  assert.match(planned({ preset: 's3://b/p' }, {}, 'visualize').text, /--plots \/c\/plots\.yaml/);
});

test('what was downloaded is kept beside the rest when that is asked for', () => {
  const download = { mode: 'all', url: 'http://x/', urlFile: null, savesToArtifacts: true };
  assert.deepEqual(planned({ download }, {}, 'download').copies, {
    from: '/c/.nightmark/downloads',
    to: '/o/downloaded',
  });
});

test('payloads are exported to the index of the instance, with credentials by name only', () => {
  const opensearch = { ...BLOCK.opensearch, isExported: true };
  const here = { testDirectory: '/t', env: SERVER };
  const to = '--to opensearch:https://s:9200#p-i --user-env NIGHTMARK_OPENSEARCH_SMOKE_1_USER';
  assert.equal(
    planned({ opensearch }, here, 'export').text,
    `matrix export ${to} -w /c/w.yml -- /o/payloads`,
  );
  assert.match(planned({ opensearch, workload: 'cpu-prom.yml' }, here, 'export').text, /#p-i-prom /);
  assert.match(planned({ opensearch, payloads: false }, here, 'export').text, / -- \/t$/);
  assert.equal(
    planned({ opensearch }, { testDirectory: '/t' }, 'export').text,
    'fail: NIGHTMARK_OPENSEARCH_SMOKE_1_URL is not set: it has the address of the OpenSearch instance smoke-1',
  );
});

test('old results are exported again only when that is asked for', () => {
  const opensearch = { ...BLOCK.opensearch, isExported: true };
  const old = { preset: 'hf', opensearch, horreumTest: 'h' };
  assert.match(planned(old, { env: SERVER }, 'export').text, /^skip: the results were downloaded/);
  assert.match(planned(old, { env: SERVER }, 'horreum').text, /^skip: the results were downloaded/);
  const again = { ...old, opensearch: { ...opensearch, isExportedOnReplot: true, failsTest: false } };
  const { text, failsTest } = planned(again, { env: SERVER }, 'export');
  assert.match(text, /^matrix export /);
  assert.equal(failsTest, false);
});

test('an analysis that is asked for brings the history, or takes that of the block', () => {
  const block = { regression: { isEnabled: true, failsTest: false, history: null } };
  const here = { testDirectory: '/t', env: SERVER };
  assert.match(
    planned(block, here, 'history').text,
    /^matrix import --from=opensearch:https:\/\/s:9200#p-i --to \/o\/history/,
  );
  assert.match(planned(block, here, 'analysis').text, /^matrix analyze .*--history=\/o\/history .*-- \/t$/);
  assert.match(planned({}, here, 'analysis').text, /^skip: /);
  const kept = { regression: { ...block.regression, history: 'old' } };
  assert.match(planned(kept, here, 'history').text, /^skip: the history is old/);
  assert.match(planned(kept, here, 'analysis').text, /--history=\/c\/old /);
});

test('nothing to process is refused', () => {
  assert.throws(() => planProcess(BLOCK, PLACE), { code: 'MATRIX_NOTHING_TO_PROCESS' });
});
