import type { Executor } from '../../core/executor.ts';
import { endLeftovers, prepareImage } from './container-engine.ts';
import { startContainer } from './run-container.ts';

/** Runs each command in a container of its own, which is gone with the end of the command. */
const containerExecutor: Executor = {
  id: 'container',
  title: 'Containers of docker or podman',
  capabilities: { together: true, pinning: false, limits: false, remote: false },
  ready: prepareImage,
  start: startContainer,
  endLeftovers,
};

export default containerExecutor;
