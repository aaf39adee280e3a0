import type { ReadFile } from './read-file.ts';

/** What the machine is a guest of, as far as it can tell; undefined on bare metal. */
export function readVirtualization(read: ReadFile): string | undefined {
  const product = ['sys_vendor', 'product_name']
    .map((name) => read(`sys/class/dmi/id/${name}`)?.trim())
    .filter((text) => text !== undefined && text !== '')
    .join(' ');
  const isGuest = /^flags\s*:.*\bhypervisor\b/m.test(read('proc/cpuinfo') ?? '');
  const known = /qemu|kvm|vmware|virtualbox|xen|amazon ec2|google compute|virtual machine|bochs|parallels/i;
  if (isGuest || known.test(product)) {
    return product || read('sys/hypervisor/type')?.trim() || 'unknown hypervisor';
  }
  return read('sys/hypervisor/type')?.trim();
}

/** The kind of container around this process; undefined outside of one. */
export function readContainer(
  read: ReadFile,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (env['KUBERNETES_SERVICE_HOST']) return 'kubernetes';
  if (read('run/.containerenv') !== undefined) return 'podman';
  if (read('.dockerenv') !== undefined) return 'docker';
  const name = env['container'];
  if (name) return name;
  return /kubepods|docker|libpod|lxc/.exec(read('proc/1/cgroup') ?? '')?.[0];
}

/** Podman tells containers what they were made of; others keep it to themselves. */
export function readImage(read: ReadFile): { readonly image?: string; readonly imageId?: string } {
  const text = read('run/.containerenv') ?? '';
  const [, image] = /^image="([^"]+)"$/m.exec(text) ?? [];
  const [, imageId] = /^imageid="([^"]+)"$/m.exec(text) ?? [];
  return { ...(image !== undefined && { image }), ...(imageId !== undefined && { imageId }) };
}
