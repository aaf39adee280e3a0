import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileWriter, WriteOptions } from '../../core/disk.ts';
import { isMissing, statIfThere, withDiskErrors } from './disk-failures.ts';
import { makeDir } from './disk-trees.ts';

let writes = 0;

/** A name in the folder that no other write has. */
function temporaryName(folder: string): string {
  return join(folder, `.nightmark-${process.pid}-${writes++}.tmp`);
}

/** Devices and pipes, such as /dev/null: they are written into. To rename a file over one would take it from everybody. */
function isDevice(path: string): boolean {
  const facts = statIfThere(path);
  return facts !== undefined && !facts.isFile() && !facts.isDirectory();
}

/** Writes a file under another name and renames it; folders that are missing are made on the way. */
export function writeWhole(path: string, text: string | Uint8Array, options: WriteOptions): void {
  if (isDevice(path)) {
    fs.writeFileSync(path, text);
    return;
  }
  const { durable = false, staging = dirname(path) } = options;
  const temporary = temporaryName(staging);
  try {
    withFolder(staging, () => writeNew(temporary, text, durable));
    withFolder(dirname(path), () => fs.renameSync(temporary, path));
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    // The staging folder is on another disk (a linked results folder, say): then beside the file after all.
    const isElsewhere = (error as NodeJS.ErrnoException).code === 'EXDEV';
    if (!isElsewhere || staging === dirname(path)) throw error;
    writeWhole(path, text, { durable });
  }
  if (durable) syncFolder(dirname(path));
}

/** Most of the time the folder is there: it is made only after the work has missed it. */
function withFolder(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeDir(folder);
    work();
  }
}

function writeNew(path: string, text: string | Uint8Array, durable: boolean): void {
  const file = fs.openSync(path, 'wx');
  try {
    fs.writeFileSync(file, text);
    if (durable) fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

function syncFolder(dir: string): void {
  const folder = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(folder);
  } finally {
    fs.closeSync(folder);
  }
}

/** Writes under another name and renames it in the end. */
export function openWriter(path: string): FileWriter {
  if (isDevice(path)) return deviceWriter(path);
  makeDir(dirname(path));
  const temporary = temporaryName(dirname(path));
  const file = fs.openSync(temporary, 'wx');
  let isOpen = true;
  const close = () => {
    isOpen = false;
    fs.closeSync(file);
  };
  return {
    // Not writeSync, which may write only a part, as on a disk that is nearly full.
    write: (text) => withDiskErrors(path, () => fs.appendFileSync(file, text)),
    finish: () =>
      withDiskErrors(path, () => {
        close();
        try {
          fs.renameSync(temporary, path);
        } catch (error) {
          fs.rmSync(temporary, { force: true });
          throw error;
        }
      }),
    discard() {
      if (!isOpen) return;
      close();
      fs.rmSync(temporary, { force: true });
    },
  };
}

function deviceWriter(path: string): FileWriter {
  const file = fs.openSync(path, 'w');
  let isOpen = true;
  const close = () => {
    if (isOpen) fs.closeSync(file);
    isOpen = false;
  };
  return {
    write: (text) => withDiskErrors(path, () => fs.appendFileSync(file, text)),
    finish: close,
    discard: close,
  };
}
