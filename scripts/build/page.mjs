import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const MANIFEST = 'manifest.json';

/** The page: scripts and the style sheet, named by their content and packed for browsers, and a manifest that names them. */
export async function buildPage({ script, routes, styles, icon, parts }, folder) {
  const input = { input: { main: script }, platform: 'browser' };
  const modules = await bundle(input, {
    ...{ format: 'esm', minify: true },
    ...{ entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' },
    codeSplitting: { groups: [{ name: 'parts', test: parts, minShareCount: 2 }] },
  });
  // A page opened from disk may load no module: the static site gets everything as one classic script.
  const [site] = await bundle(input, {
    ...{ format: 'iife', minify: true, codeSplitting: false },
    entryFileNames: 'page-[hash].js',
  });
  const sheets = ['node_modules/uplot/dist/uPlot.min.css', ...files(styles, '.css')];
  const style = sheets.map((file) => readFileSync(file, 'utf8')).join('\n');
  const styleName = `style-${hash(style)}.css`;
  const entry = modules.find(({ isEntry }) => isEntry);
  const manifest = {
    script: entry.fileName,
    preload: entry.imports,
    routes: chunksByRoute(routes, modules, entry),
    style: styleName,
    site: site.fileName,
  };
  const sent = [
    ...modules,
    { fileName: styleName, code: style },
    { fileName: 'icon.svg', code: readFileSync(icon, 'utf8') },
  ];
  const kept = [site, { fileName: MANIFEST, code: `${JSON.stringify(manifest, null, 2)}\n` }];
  return [...sent, ...sent.flatMap(packed), ...kept].map(({ fileName, code, moduleIds }) => ({
    ...{ fileName: `${folder}/${fileName}`, code, moduleIds },
  }));
}

function packed({ fileName, code }) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  return [
    { fileName: `${fileName}.gz`, code: gzipSync(code, { level: 9 }) },
    { fileName: `${fileName}.br`, code: brotliCompressSync(code, quality) },
  ];
}

/** For every address of a page the chunks that it needs, so that a browser asks for all of them at once. */
function chunksByRoute(file, modules, entry) {
  const routes = readFileSync(file, 'utf8').matchAll(
    /'([^']+)': async \(\) =>\s*\(await import\('(\.[^']+)'\)\)/g,
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
    Array.from(routes, ([, route, page]) => {
      const place = join(process.cwd(), dirname(file), page);
      const chunk = modules.find(({ facadeModuleId }) => facadeModuleId === place);
      if (chunk === undefined) throw new Error(`${file} names ${page}, which is no chunk`);
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
