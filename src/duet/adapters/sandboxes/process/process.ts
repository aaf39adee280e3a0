import * as fs from 'node:fs';
import { join } from 'node:path';
import type { MakeSandboxes, SandboxRequest } from '../../../core/sandbox.ts';
import { isDead, type Owner, ourselves, parseOwner } from '../owner.ts';
import { folderSandbox } from './folder-sandbox.ts';

/** Each sandbox is WORKDIR/<name>/ with the owner's mark and files/, the folder in which commands run. */
const processSandboxes: MakeSandboxes = ({ executor, env }) => ({
  id: 'process',
  title: 'Processes of this machine, each side in a folder of its own',

  async open(request) {
    const folder = join(request.workDir, request.name);
    fs.mkdirSync(join(folder, 'files'), { recursive: true });
    fs.writeFileSync(join(folder, MARK), markOf(request));
    await executor.ready();
    return folderSandbox({ folder, mark: join(folder, MARK), request }, { executor, env });
  },

  async endLeftovers({ workDir }) {
    let count = 0;
    for (const name of listFolders(workDir)) {
      const mark = readMark(join(workDir, name, MARK));
      if (!mark || !isDead(mark.owner)) continue;
      await executor.endLeftovers(mark.runId);
      if (mark.isKept) continue;
      fs.rmSync(join(workDir, name), { recursive: true, force: true, maxRetries: 3 });
      count++;
    }
    return count;
  },
});

const MARK = 'owner.json';

interface Mark {
  readonly owner: Owner;
  readonly runId: string;
  readonly isKept: boolean;
}

function markOf({ runId, keep }: SandboxRequest): string {
  const mark: Mark = { owner: ourselves(), runId, isKept: keep };
  return `${JSON.stringify(mark)}\n`;
}

function readMark(path: string): Mark | undefined {
  try {
    const mark = JSON.parse(fs.readFileSync(path, 'utf8')) as Partial<Mark>;
    const owner = parseOwner(JSON.stringify(mark.owner));
    if (!owner || typeof mark.runId !== 'string') return undefined;
    return { owner, runId: mark.runId, isKept: mark.isKept === true };
  } catch {
    // No mark, or not ours: not ours to remove.
    return undefined;
  }
}

function listFolders(dir: string): readonly string[] {
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((it) => (it.isDirectory() ? [it.name] : []));
}

export default processSandboxes;
