import { readdirSync } from 'node:fs';
import { relative } from 'node:path';

/** In place of a look at the folders: FOLDER/ID/ID.ts of each kind is a chunk of its own, loaded on demand. */
export function adapterTable(folders, from) {
  const kinds = Object.entries(folders).map(([kind, folder]) => {
    const entries = readdirSync(`src/${folder}`, { withFileTypes: true });
    const ids = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
    const loaders = ids.map((id) => {
      const path = relative(from, `dist/src/${folder}/${id}/${id}.js`);
      return `[${JSON.stringify(id)}, () => import(${JSON.stringify(path)})]`;
    });
    return `${JSON.stringify(kind)}: new Map([${loaders.join(', ')}])`;
  });
  return `const KINDS = {\n${kinds.join(',\n')}\n};\nexport const adapterModules = (kind) => KINDS[kind];\n`;
}
