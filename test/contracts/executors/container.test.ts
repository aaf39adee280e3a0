import { findPodman } from '../../support/podman.ts';
import { judgeExecutor } from './suite.ts';

const podman = findPodman();
// The engine's clients take their configuration from our environment.
Object.assign(process.env, podman.env);

judgeExecutor({
  id: 'container',
  skip: podman.skip,
  more: (folder) => ({
    container: { image: 'duet-bash', engine: 'podman', folders: [{ path: folder, isReadOnly: false }] },
  }),
});
