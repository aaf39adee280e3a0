import { readdirSync } from 'node:fs';
import { relative } from 'node:path';

const ADAPTER = /(?:^|\/)adapters\/([\w-]+)\/([\w-]+)\/index\.ts$/;

/** In place of a look at the folders: src/adapters/KIND/ID/index.ts is a chunk of its own, loaded on demand. */
export function adapterTable(folder) {
  const kinds = new Map();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort()) {
    const [, kind, id] = ADAPTER.exec(file) ?? [];
    if (kind === undefined) continue;
    const path = relative(folder, `dist/src/${file}`).replace(/\.ts$/, '.js');
    const loaders = kinds.get(kind) ?? kinds.set(kind, []).get(kind);
    loaders.push(`[${JSON.stringify(id)}, () => import(${JSON.stringify(path)})]`);
  }
  const table = Array.from(
    kinds,
    ([kind, loaders]) => `${JSON.stringify(kind)}: new Map([${loaders.join(', ')}])`,
  );
  return `const KINDS = {\n${table.join(',\n')}\n};\nexport const adapterModules = (kind) => KINDS[kind];\n`;
}
