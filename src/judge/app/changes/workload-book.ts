import { indexName } from '../../../formats/core/kpi/payload-files.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';

/** Which workload a test is of. */
export interface WorkloadBook {
  /** Undefined where its file is gone: nobody waits for what was thrown away. */
  ofTest(testId: string): string | undefined;
}

/** Documents do not name their workload; the folder that they are kept in does. */
export async function workloadBook(home: string, disk: Disk): Promise<WorkloadBook> {
  const { payloads } = homeLayout(home);
  const folders: { readonly workload: string; readonly files: ReadonlySet<string> }[] = [];
  for (const { name, type } of await disk.list(payloads('')))
    if (type === 'folder') {
      const entries = await disk.list(payloads(name));
      folders.push({ workload: name, files: new Set(entries.map((entry) => entry.name)) });
    }
  return {
    ofTest: (testId) =>
      folders.find(({ workload, files }) => files.has(`${indexName(workload)}_${indexName(testId)}.json`))
        ?.workload,
  };
}
