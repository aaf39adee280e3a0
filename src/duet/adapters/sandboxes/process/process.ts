import * as fs from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { Execution, Pinning } from '../../../../executors/core/executor.ts';
import {
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
  processLife,
} from '../../../../platform/adapters/process-identity.ts';
import type { MakeSandboxes, Sandbox, SandboxRequest, SandboxTools } from '../../../core/sandbox.ts';
import { bashArgv, GRACE_MS, noResult } from '../sandbox-results.ts';

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
      if (!mark || processLife(mark.owner) !== 'dead') continue;
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
  readonly owner: ProcessIdentity;
  readonly runId: string;
  readonly isKept: boolean;
}

function markOf({ runId, keep }: SandboxRequest): string {
  const mark: Mark = { owner: ownIdentity(), runId, isKept: keep };
  return `${JSON.stringify(mark)}\n`;
}

function readMark(path: string): Mark | undefined {
  try {
    const mark = JSON.parse(fs.readFileSync(path, 'utf8')) as Partial<Mark>;
    const owner = parseIdentity(JSON.stringify(mark.owner));
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

interface SandboxFolder {
  readonly folder: string;
  /** Written when the sandbox was opened: what is older was there before. */
  readonly mark: string;
  readonly request: SandboxRequest;
}

function folderSandbox({ folder, mark, request }: SandboxFolder, { executor, env }: SandboxTools): Sandbox {
  const files = join(folder, 'files');
  const running = new Set<Execution>();
  return {
    digest: undefined,
    place: files,

    run({ command, env: more, measuresFile, graceMs = GRACE_MS, ...rest }, signal) {
      const execution = executor.start(
        {
          argv: bashArgv(command, measuresFile),
          cwd: files,
          env: { ...env, ...more, NIGHTMARK_RUN_ID: request.runId },
          graceMs,
          ...rest,
          ...(request.cores && { pinning: pinTo(request.cores) }),
        },
        signal,
      );
      running.add(execution);
      const ended = execution.wait().finally(() => running.delete(execution));
      return { wait: () => ended, kill: () => execution.kill() };
    },

    async fetch(path, target) {
      const from = resolve(files, path);
      if (!fs.existsSync(from)) throw noResult(path, 'is not there');
      if (isAbsolute(path) && newestChange(from) < fs.statSync(mark, { bigint: true }).mtimeNs) {
        throw noResult(path, 'was there before the run, and the run did not change it');
      }
      fs.cpSync(fs.realpathSync(from), target, { recursive: true, verbatimSymlinks: true });
    },

    async close() {
      for (const execution of running) execution.kill();
      await Promise.all([...running].map((execution) => execution.wait()));
      if (!request.keep) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function pinTo(cores: readonly number[]): Pinning {
  return { type: 'list', cores: cores.join(',') };
}

/** Nanoseconds of the last change of a file, or of anything in a folder. */
function newestChange(path: string): bigint {
  const facts = fs.statSync(path, { bigint: true });
  if (!facts.isDirectory()) return facts.mtimeNs;
  let newest = facts.mtimeNs;
  for (const entry of fs.readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    const { mtimeNs } = fs.lstatSync(join(path, entry), { bigint: true });
    if (mtimeNs > newest) newest = mtimeNs;
  }
  return newest;
}
