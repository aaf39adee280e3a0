import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { external } from './program.mjs';

/** Modules of users import these: plain text with its types, so that an editor shows what there is. */
export async function bundlePublic(entries, folder) {
  const inputs = (ending) =>
    Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, path + ending]));
  const names = { entryFileNames: `${folder}/[name].js`, chunkFileNames: `${folder}/[name]-[hash].js` };
  const modules = await generate({ input: inputs('.js'), external, platform: 'node' }, names);
  const typeNames = {
    entryFileNames: `${folder}/[name].d.ts`,
    chunkFileNames: `${folder}/[name]-[hash].d.ts`,
  };
  const plugins = [dts({ dtsInput: true, tsconfig: false })];
  const types = await generate({ input: inputs('.d.ts'), external, plugins }, typeNames);
  return [...modules, ...types];
}

async function generate(input, output) {
  const bundle = await rolldown(input);
  const { output: chunks } = await bundle.generate({ format: 'esm', ...output });
  await bundle.close();
  return chunks;
}
