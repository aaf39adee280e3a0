/** True for addresses that only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
  );
}

/** The name in a Host header, without its port. */
export function hostName(header: string | undefined): string {
  const match = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(header ?? '');
  return match?.[1] ?? '';
}
