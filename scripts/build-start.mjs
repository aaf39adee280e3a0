// Bundles the command line into dist/src/cli/nightmark.cjs and the chunks in dist/program: few files, and CommonJS, which Node
// loads sooner than modules (docs/adr/0012-the-program-is-bundled.md). Needs what tsc has built.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { ownModules } from './program/own-modules.mjs';
import { planChunks } from './program/plan-chunks.mjs';

const START = 'src/cli/nightmark.cjs';
const FOLDER = 'program';
/** Small and needed by every command that reads a file of the user; all other packages are found where npm put them. */
const BUNDLED = ['commander', 'picocolors', 'zod'];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = Object.keys(dependencies).filter((name) => !BUNDLED.includes(name));
const source = `${process.cwd()}/dist/src/`;
const output = {
  format: 'cjs',
  entryFileNames: START,
  chunkFileNames: `${FOLDER}/[name]-[hash].cjs`,
  // Names stay: a stack trace is what a person sends us.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
};

const program = await rolldown({
  input: { nightmark: 'dist/src/cli/start.js' },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  external: packages.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [ownModules(source, '../src/')],
});
const { output: parts } = await program.generate({ ...output, minify: false });
const main = parts.find(({ facadeModuleId }) => facadeModuleId === `${source}cli/main.js`);
const names = planChunks(parts, main.fileName);
const { output: chunks } = await program.generate({
  ...output,
  codeSplitting: {
    groups: [{ debugName: 'shared', name: (id) => names.get(id) ?? null }],
    includeDependenciesRecursively: false,
  },
});
await program.close();

// Big, and seventy files as npm has it; most commands need none of it, so it is a file of its own.
const inOneFile = (code) => code.replaceAll(/require\(["'`]yaml["'`]\)/g, 'require("./yaml.cjs")');
const files = new Map(chunks.map(({ fileName, code }) => [`dist/${fileName}`, inOneFile(code)]));
files.set(`dist/${FOLDER}/yaml.cjs`, await wholePackage('yaml'));
writeAll(files);

async function wholePackage(name) {
  const made = await rolldown({ input: `node_modules/${name}/dist/index.js`, platform: 'node' });
  const { output: whole } = await made.generate({ ...output, codeSplitting: false });
  await made.close();
  return whole[0].code;
}

/** A night may be running with what is there: new files first, then the one that names them, whole; then the old ones go. */
function writeAll(texts) {
  mkdirSync(`dist/${FOLDER}`, { recursive: true });
  const start = `dist/${START}`;
  for (const [file, text] of texts) if (file !== start && !isSame(file, text)) writeWhole(file, text);
  if (!isSame(start, texts.get(start))) writeWhole(start, texts.get(start));
  for (const name of readdirSync(`dist/${FOLDER}`))
    if (!texts.has(`dist/${FOLDER}/${name}`)) rmSync(`dist/${FOLDER}/${name}`, { force: true });
}

function isSame(file, text) {
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

function writeWhole(file, text) {
  const unfinished = `${file}.${process.pid}.part`;
  writeFileSync(unfinished, text, { mode: 0o755 });
  renameSync(unfinished, file);
}
