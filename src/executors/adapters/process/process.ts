import type { Executor } from '../../core/executor.ts';
import { launcherReady, startInLauncher } from './launcher-client.ts';
import { endProcesses } from './process-tree.ts';
import { GRACE_MS } from './run-process.ts';

/** Runs commands as processes of this machine; each leads a process group of its own. */
const processExecutor: Executor = {
  id: 'process',
  title: 'Processes of this machine',
  capabilities: { together: true, pinning: true, limits: false, remote: false },
  ready: launcherReady,
  start: startInLauncher,
  endLeftovers: (runId) => endProcesses({ environment: `NIGHTMARK_RUN_ID=${runId}` }, GRACE_MS),
};

export default processExecutor;
