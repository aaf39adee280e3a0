import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { Executor } from '../core/executor.ts';
import type { ExecutorId } from '../core/place.ts';

export function loadExecutor(id: ExecutorId): Promise<Executor> {
  return loadAdapter<Executor>('executors', id);
}
