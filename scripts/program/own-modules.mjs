// What is different in the bundled program: where modules believe to lie, and how adapters and YAML are found.
import { readdirSync } from 'node:fs';

/** The bundler's plugin. `source` is the folder of compiled modules, `place` the way to it from the bundle. */
export function ownModules(source, place) {
  return {
    name: 'own-modules',
    transform(code, id) {
      if (!id.startsWith(source)) return;
      const module = id.slice(source.length);
      if (module === 'cli/adapter-modules.js') return adapterTable();
      if (!code.includes('import.meta')) return;
      return inPlace(code, `\`\${__dirname}/${place}${module}\``);
    },
  };
}

/** Files beside a module are found from where it would lie unbundled. */
function inPlace(code, file) {
  return code
    .replaceAll("createRequire(import.meta.url)('yaml')", "require('yaml')")
    .replaceAll('createRequire(import.meta.url)', `createRequire(${file})`)
    .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${file}).href`);
}

/** In place of a look at the folders: each is a chunk of its own, loaded on demand. */
function adapterTable() {
  const kinds = folders('src/adapters').map((kind) => {
    const loaders = folders(`src/adapters/${kind}`).map(
      (id) => `[${JSON.stringify(id)}, () => import('../adapters/${kind}/${id}/index.js')]`,
    );
    return `${JSON.stringify(kind)}: new Map([${loaders.join(', ')}])`;
  });
  return `const KINDS = {\n${kinds.join(',\n')}\n};\nexport const adapterModules = (kind) => KINDS[kind];\n`;
}

function folders(path) {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}
