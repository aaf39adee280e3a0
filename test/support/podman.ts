import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface Podman {
  /** What podman needs in its environment on this machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Why tests with containers are left out; false when they are not. */
  readonly skip: string | false;
}

const HOW =
  'Debian: apt-get install podman runc busybox-static; then scripts/podman-image.sh makes the image';

/**
 * Finds out whether containers can run here, with one of the settings beside this file or as they are. The settings give containers no
 * network: a new interface of the machine makes a browser that another test runs fail with ERR_NETWORK_CHANGED.
 */
export function findPodman(): Podman {
  const settings = ['containers.conf', 'containers-plain.conf'].map((file) => ({
    CONTAINERS_CONF: join(process.cwd(), 'test/support', file),
  }));
  if (spawnSync('podman', ['--version']).status !== 0)
    return { env: {}, skip: `podman is not installed (${HOW})` };
  let why = '';
  for (const env of [...settings, {}]) {
    const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
    if (spawnSync('podman', ['image', 'exists', 'duet-bash'], options).status !== 0) {
      spawnSync(join(process.cwd(), 'scripts/podman-image.sh'), [], options);
    }
    const tried = spawnSync('podman', ['run', '--rm', 'duet-bash', 'true'], options);
    if (tried.status === 0) return { env, skip: false };
    why = tried.stderr?.trim().split('\n').at(-1) ?? '';
  }
  return { env: {}, skip: `podman cannot run a container here: ${why} (${HOW})` };
}

/** Names of all containers of this machine whose name holds a text. */
export function containersNamed(text: string, { env }: Podman): readonly string[] {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const { stdout } = spawnSync('podman', ['ps', '-a', '--format', '{{.Names}}'], options);
  return stdout.split('\n').filter((name) => name.includes(text));
}
