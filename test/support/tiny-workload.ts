import type { TestFiles, Workload } from '../../src/formats/core/kpi/workload.ts';
import { isJsonObject, type JsonValue } from '../../src/platform/core/text/json.ts';

/** The reading half of the "tiny" workload of the golden tree, by hand. A module that the program can load. */
const tinyWorkload: Workload = {
  name: 'tiny',
  version: '1',
  importantFiles: ['.uuid', 'config.yaml', '*__run/result.json'],
  artifactFolders: { run: '*__run' },
  async parseOnce(test) {
    const uuid = await test.text('.uuid');
    await test.yaml('config.yaml');
    return { fields: { ...(uuid ? { test_uuid: uuid.trim() } : {}), ...(await dataOf(test)) }, problems: [] };
  },
  parseAlways: async () => ({ fields: { from_local_env: { always: true } }, problems: [] }),
  kpis: [],
  plots: [],
  comparison: { comparisonKeys: [], ignoredKeys: [], sortingKeys: [], ignoredEntries: {} },
};

export default tinyWorkload;

async function dataOf(test: TestFiles): Promise<Record<string, JsonValue>> {
  const run = test.artifact('run');
  const data = run === undefined ? undefined : await test.json(`${run}/result.json`);
  return isJsonObject(data) ? { data } : {};
}
