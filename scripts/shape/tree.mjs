/** Capabilities in alphabetical order, each with its folders: the tree of docs/architecture.md. */
export function tree(files) {
  const capabilities = new Map();
  for (const file of files) {
    const [, capability, ...rest] = file.split('/');
    const folders = capabilities.get(capability) ?? new Set();
    if (rest.length > 1) folders.add(`${rest[0]}/`);
    capabilities.set(capability, folders);
  }
  const lines = [...capabilities]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, folders]) => `  ${`${name}/`.padEnd(13)}${[...folders].sort().join(' ')}`.trimEnd());
  return ['src/', ...lines].join('\n');
}
