import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { MatrixEffects, ParseRequest } from '../../src/matrix/app/parse/parse-request.ts';
import { readMatrix } from '../../src/matrix/app/parse/read-entries.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { parseYamlValue } from '../../src/platform/config/parse-yaml.ts';
import tinyWorkload from './tiny-workload.ts';

/** A folder with these files, gone after the tests of the file. */
export function makeTree(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'nightmark-matrix-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  addFiles(dir, files);
  return dir;
}

export function addFiles(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
}

/** The files of one test that the tiny workload reads whole. */
export function tinyTest(path: string, settings: string, throughput = 100): Record<string, string> {
  return {
    [`${path}/settings.yaml`]: settings,
    [`${path}/exit_code`]: '0\n',
    [`${path}/.uuid`]: 'id\n',
    [`${path}/config.yaml`]: 'a: 1\n',
    [`${path}/000__run/result.json`]: JSON.stringify({ throughput }),
  };
}

export const realEffects: MatrixEffects = {
  disk: localDisk,
  clock: systemClock,
  signal: new AbortController().signal,
  parseYaml: parseYamlValue,
};

/** The tiny workload on a tree; locations are relative to it. */
export function parseRequestOf(dir: string): ParseRequest {
  return {
    ...{ dir, label: '.', workload: tinyWorkload, filters: new Map(), parents: [] },
    ...{ isCompat: false, usesCache: true, jobs: 4 },
  };
}

/** Reads a tree with real adapters. */
export async function readTree(dir: string, more: Partial<ParseRequest> = {}) {
  return readMatrix({ ...parseRequestOf(dir), ...more }, realEffects);
}
