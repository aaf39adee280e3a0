import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** npm installs the dependencies beside us; every other package that is imported becomes a part of the bundle. */
export const external = Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`));

/** Names of functions and classes stay: a stack trace is what a person sends us. */
const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

/** Modules without packages and without work at the top: to load one for nothing costs hardly more than its bytes. */
const PURE = /\/dist\/src\/(?:stats|[\w-]+\/(?:core|app))\//;

/**
 * A chunk for each command and each adapter, loaded on demand. Of what they share the bundler makes a chunk for each set of them:
 * hundreds. So pure modules are together by how many need them; these never need one another in a circle, because what a module
 * imports is needed by as many at least.
 */
const groups = [60, 30, 10].map((many) => ({
  ...{ name: `shared-by-${many}`, test: PURE, minShareCount: many, priority: many },
}));

/** CommonJS, because Node 20 loads it sooner than modules. */
export async function bundleProgram({ start, standIns }, command, folder) {
  const texts = new Map(Object.entries(standIns).map(([file, text]) => [resolve(file), text]));
  const plugin = { name: 'stand-ins', load: (id) => texts.get(id) };
  const input = { nightmark: start };
  const bundle = await rolldown({
    ...{ input, external, platform: 'node', plugins: [plugin] },
    preserveEntrySignatures: 'allow-extension',
  });
  const { output } = await bundle.generate({
    ...{ format: 'cjs', entryFileNames: command, chunkFileNames: `${folder}/[name]-[hash].cjs`, minify },
    codeSplitting: { groups, includeDependenciesRecursively: false },
  });
  await bundle.close();
  return output;
}

/** Each is one file: it starts often, and needs little. */
export async function bundleChildren(modules, folder) {
  return Promise.all(
    modules.map(async (input) => {
      const bundle = await rolldown({ input, external, platform: 'node' });
      const entryFileNames = `${folder}/${basename(input)}`;
      const { output } = await bundle.generate({ entryFileNames, minify, codeSplitting: false });
      await bundle.close();
      return output[0];
    }),
  );
}
