import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { FileWriter } from '../../../core/disk.ts';
import { explained } from './failures.ts';
import { makeDir } from './trees.ts';
import { isDevice, temporaryName } from './write-whole.ts';

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
    write: (text) => explained(path, () => fs.appendFileSync(file, text)),
    finish: () =>
      explained(path, () => {
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
    write: (text) => explained(path, () => fs.appendFileSync(file, text)),
    finish: close,
    discard: close,
  };
}
