// Bundles src/web into dist/src/web/page: scripts and the style sheet, named by their content and packed for browsers.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const FOLDER = 'dist/src/web/page';
const STYLES = ['node_modules/uplot/dist/uPlot.min.css', ...files('src/web', '.css')];
const isFast = process.argv.includes('--fast');

const options = {
  input: { main: 'src/web/main.tsx' },
  platform: 'browser',
};
const modules = await bundle(options, {
  format: 'esm',
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  minify: !isFast,
  // What most pages need comes at one go: twenty files of some hundred bytes each take longer to ask for than to send.
  codeSplitting: {
    groups: [
      {
        name: 'parts',
        test: /\/node_modules\/(?:preact|@tanstack)\/|\/src\/web\/(?:parts|data|router|table)\/|\/src\/core\/(?:text|site|errors)/,
        minShareCount: 2,
      },
    ],
  },
});
// A page opened from disk may load no module: the static site gets everything as one classic script.
const site = await bundle(options, {
  format: 'iife',
  entryFileNames: 'page-[hash].js',
  codeSplitting: false,
  minify: !isFast,
});

const style = STYLES.map((file) => readFileSync(file, 'utf8')).join('\n');
const styleName = `style-${hash(style)}.css`;
const icon = readFileSync('src/web/icon.svg', 'utf8');
const texts = [
  ...[...modules, ...site].map(({ fileName, code }) => [fileName, code]),
  [styleName, style],
  ['icon.svg', icon],
];
const entry = modules.find(({ isEntry }) => isEntry);
const manifest = {
  script: entry.fileName,
  preload: entry.imports,
  routes: chunksByRoute(),
  style: styleName,
  site: site[0].fileName,
};

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of texts) {
  writeFileSync(join(FOLDER, name), text);
  if (isFast || name === site[0].fileName) continue;
  writeFileSync(join(FOLDER, `${name}.gz`), gzipSync(text, { level: 9 }));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  writeFileSync(join(FOLDER, `${name}.br`), brotliCompressSync(text, quality));
}
writeFileSync(join(FOLDER, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** For every address of a page the chunks that it needs, so that a browser asks for all of them at once. */
function chunksByRoute() {
  const routes = readFileSync('src/web/routes.ts', 'utf8').matchAll(
    /'([^']+)': async \(\) =>\s*\(await import\('\.\/([^']+)'\)\)/g,
  );
  const byName = new Map(modules.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (chunk, found = new Set()) => {
    if (chunk === undefined || found.has(chunk.fileName)) return found;
    found.add(chunk.fileName);
    for (const name of chunk.imports) withImports(byName.get(name), found);
    return found;
  };
  const known = withImports(entry);
  return Object.fromEntries(
    Array.from(routes, ([, route, file]) => {
      const chunk = modules.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/web/${file}`));
      if (chunk === undefined) throw new Error(`src/web/routes.ts names ${file}, which is no chunk`);
      return [route, [...withImports(chunk)].filter((name) => !known.has(name))];
    }),
  );
}

async function bundle(input, output) {
  const made = await rolldown(input);
  const { output: chunks } = await made.generate(output);
  await made.close();
  return chunks.filter(({ type }) => type === 'chunk');
}

function files(folder, ending) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );
  return found.sort().map((name) => join(folder, name));
}

function hash(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
