import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** fonts/ has a part of these. */
const ALSO = ['node_modules/dejavu-fonts-ttf'];

/** NOTICE: the licences of the packages of which the bundles have parts, by dist/BUNDLE.json. */
export function writeNotice(bundles) {
  const folders = new Set(ALSO);
  for (const bundle of bundles) {
    const files = Object.values(JSON.parse(readFileSync(`dist/${bundle}.json`, 'utf8')));
    for (const { modules } of files) for (const module of modules) folders.add(packageOf(module));
  }
  folders.delete(undefined);
  const text = [...new Set([...folders].sort().map(licenceOf))].join(`\n${'-'.repeat(80)}\n\n`);
  writeFileSync('NOTICE', `${HEAD}${text}`);
}

const HEAD =
  'Nightmark contains parts of the packages below. Written by scripts/build/notice.mjs when it is built.\n\n';

/** The folder of the package that a module belongs to. What lies nowhere was written by the bundler itself. */
function packageOf(module) {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module) ?? [];
  return folder ?? (/^(?:rolldown|@oxc-project)\b/.test(module) ? 'node_modules/rolldown' : undefined);
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = ['.', 'licenses'].flatMap((place) => licencesIn(join(folder, place)));
  if (files.length === 0) throw new Error(`${folder} has no licence file`);
  const texts = files.map((file) => readFileSync(file, 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

function licencesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice|copying)/i.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}
