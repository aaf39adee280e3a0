import type { KubernetesPlace, Resources } from '../place.ts';

/** What every pod of the first monitor had, for clusters that are set up for it. */
export const OLD_APP = 'jobmonitor';

export function oldPlace(place: KubernetesPlace, { gpus = 0 }: Resources): KubernetesPlace {
  const nodeSelector = { ...(gpus === 0 && { 'hardware-type': 'CPUONLY' }), ...place.nodeSelector };
  return {
    hostIpc: true,
    entrypoint: ['/entrypoint.sh'],
    ...place,
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
  };
}

export function oldResources(resources: Resources): Resources {
  return { cpus: 20, memoryBytes: 128 * 2 ** 30, gpus: 0, ...resources };
}
