import { createHash, type Hash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

/** SHA-256 over the names, kinds, executable bits and contents of trees, in an order that is the same anywhere. */
export function fingerprint(
  roots: readonly string[],
  isIgnored: (name: string, path: string) => boolean,
): string {
  const hash = createHash('sha256');
  for (const root of roots) {
    hash.update('root\0');
    if (fs.existsSync(root)) addFolder(hash, root, '', isIgnored);
  }
  return hash.digest('hex');
}

function addFolder(
  hash: Hash,
  dir: string,
  prefix: string,
  isIgnored: (name: string, path: string) => boolean,
): void {
  const names = fs.readdirSync(dir).filter((name) => !isIgnored(name, `${prefix}${name}`));
  for (const name of names.sort()) {
    const path = join(dir, name);
    const facts = fs.lstatSync(path);
    const label = `${prefix}${name}`;
    if (facts.isDirectory()) addFolder(hash, path, `${label}/`, isIgnored);
    else if (facts.isSymbolicLink()) hash.update(`link\0${label}\0${fs.readlinkSync(path)}\0`);
    else if (facts.isFile())
      addFile(hash, path, `file\0${label}\0${facts.mode & 0o111 ? 'x' : '-'}\0${facts.size}\0`);
  }
}

/** In pieces, so that a file of any size costs one buffer. */
function addFile(hash: Hash, path: string, header: string): void {
  hash.update(header);
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const file = fs.openSync(path, 'r');
  try {
    for (let read = fs.readSync(file, buffer); read > 0; read = fs.readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    fs.closeSync(file);
  }
}
