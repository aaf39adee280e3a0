/** Capabilities and their layers, one line each, with the number of source files. */
export function tree(files) {
  const capabilities = new Map();
  for (const file of files) {
    const [, capability, ...rest] = file.split('/');
    const layers = capabilities.get(capability) ?? new Map();
    const layer = rest.length > 1 ? `${rest[0]}/` : '';
    layers.set(layer, (layers.get(layer) ?? 0) + 1);
    capabilities.set(capability, layers);
  }
  const lines = [...capabilities].sort().map(([capability, layers]) => {
    const parts = [...layers].sort().map(([layer, count]) => (layer === '' ? `${count}` : `${layer} ${count}`));
    return `  ${`${capability}/`.padEnd(13)}${parts.join('  ')}`;
  });
  return ['src/', ...lines].join('\n');
}
