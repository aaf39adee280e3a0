// Bundles the command line into dist/src/cli/nightmark.cjs and the chunks in dist/program: few files, and CommonJS, which Node
// loads sooner than modules (docs/adr/0012-the-program-is-bundled.md). Needs what tsc has built. With --if-older: only when
// there is something newer than the last bundle.
import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { compileAhead } from './program/compile-ahead.mjs';
import { drawLetters } from './program/draw-letters.mjs';
import { ownModules } from './program/own-modules.mjs';
import { planChunks } from './program/plan-chunks.mjs';
import { isOlder, writeProgram } from './program/write-program.mjs';

const START = 'src/cli/nightmark.cjs';
const FOLDER = 'program';
const QUICK_CHART = 'cli/chart/quick-chart.js';
/** Needed by nearly every command; all other packages are found where npm put them, by who needs them. */
const BUNDLED = ['commander', 'picocolors', 'zod'];

/** Packages that are looked for only where they are wanted. */
const NOT_THERE = [/^@resvg\//, 'pg-native', 'pg-cloudflare'];

const output = {
  format: 'cjs',
  entryFileNames: START,
  chunkFileNames: `${FOLDER}/[name]-[hash].cjs`,
  // Names stay: a stack trace is what a person sends us.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

if (!process.argv.includes('--if-older') || isOlder(`dist/${START}`)) {
  const files = new Map((await bundle()).map(({ fileName, code }) => [fileName, withWholeFiles(code)]));
  files.set(`${FOLDER}/yaml.cjs`, await wholeFile('node_modules/yaml/dist/index.js'));
  files.set(`${FOLDER}/pg.cjs`, await wholeFile('node_modules/pg/lib/index.js'));
  files.set(`${FOLDER}/quick-chart.cjs`, await wholeFile(`dist/src/${QUICK_CHART}`));
  await drawLetters();
  writeProgram(files, START);
  await compileAhead(`dist/${FOLDER}`, `dist/${START}`);
}

/** Twice: how the bundler would part it tells which modules go together. */
async function bundle() {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const packages = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));
  const source = `${process.cwd()}/dist/src/`;
  const program = await rolldown({
    input: { nightmark: 'dist/src/cli/start.js' },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: [...packages.map((name) => new RegExp(`^${name}(/|$)`)), /\/chart\/quick-chart\.js$/],
    plugins: [ownModules(source, '../src/')],
  });
  const { output: parts } = await program.generate({ ...output, minify: false });
  const main = parts.find(({ facadeModuleId }) => facadeModuleId === `${source}cli/main.js`);
  const names = planChunks(parts, main.fileName);
  const groups = [{ debugName: 'shared', name: (id) => names.get(id) ?? null }];
  const codeSplitting = { groups, includeDependenciesRecursively: false };
  const { output: chunks } = await program.generate({ ...output, codeSplitting });
  await program.close();
  return chunks;
}

/**
 * YAML and the driver of PostgreSQL are many files as npm has them; many commands need none of them, so each is a file of its own. The
 * quick way to a chart has its own copy of what it draws with: one file to load, and nothing of it meets the rest of the program.
 */
function withWholeFiles(code) {
  return code
    .replaceAll(/require\(["'`]yaml["'`]\)/g, 'require("./yaml.cjs")')
    .replaceAll(/import\(["'`]pg["'`]\)/g, 'Promise.resolve({default:require("./pg.cjs")})')
    .replaceAll(
      /import\(["'`][^"'`]*quick-chart\.js["'`]\)/g,
      `Promise.resolve(require("../../${FOLDER}/quick-chart.cjs"))`,
    );
}

async function wholeFile(input) {
  const source = `${process.cwd()}/dist/src/`;
  const plugins = [ownModules(source, '../src/')];
  const made = await rolldown({ input, platform: 'node', external: NOT_THERE, plugins });
  const { output: whole } = await made.generate({ ...output, codeSplitting: false });
  await made.close();
  return whole[0].code;
}
