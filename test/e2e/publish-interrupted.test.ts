import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishReport } from '../../src/publish/app/site/publish-site.ts';
import { listingPlace, placeOf, readListing, readRoot } from '../../src/publish/core/site/site-map.ts';
import { type PublishTarget, publishTargets } from '../support/publish-targets.ts';

const CHILD = join(process.cwd(), 'dist/test/support/publish-child.js');
/** More of them find more: NIGHTMARK_TEST_KILLS=40. */
const KILLS = Number(process.env['NIGHTMARK_TEST_KILLS'] ?? 3);
const targets = await publishTargets();
after(async () => {
  for (const target of targets) await target.stop();
});

const found = new Map<string, Readonly<Record<string, string>>>();

describe('publication', { concurrency: true }, () => {
  for (const target of targets) {
    test(`killed at any moment leaves a whole site: ${target.id}`, { skip: target.skip }, async () => {
      const to = target.make();
      const work = mkdtempSync(join(tmpdir(), 'nightmark-publish-work-'));
      const publish = (variant: string, killAfter?: number) =>
        runChild(target, { to, work, variant, killAfter });
      const start = performance.now();
      await publish('v0');
      const wholeMs = performance.now() - start;
      assert.equal(variantOf(await target.files(to)), 'v0');
      let last = 'v0';
      for (let kill = 1; kill <= KILLS; kill++) {
        // From the start of the process to its usual end, and a little beyond.
        await publish(`v${kill}`, Math.round((wholeMs * (kill + 1)) / (KILLS + 1)));
        const now = variantOf(await target.files(to));
        assert.ok(now === last || now === `v${kill}`, `${now} after ${last} and v${kill}`);
        last = now;
      }
      // Nothing is left behind but the site and the files of the one before.
      await publish('w1');
      await publish('w2');
      const files = await target.files(to);
      assert.equal(variantOf(files), 'w2');
      const changed = Object.values(files)
        .filter((text) => /^[vw]\d /.test(text))
        .map((text) => text.slice(0, 2));
      assert.deepEqual([...new Set(changed)].sort(), ['w1', 'w2']);
      found.set(target.id, files);
    });
  }
});

test('the same site has the same bytes wherever it is', () => {
  const [first, ...others] = [...found.values()];
  assert.ok(first && Object.keys(first).length > 30);
  for (const other of others) assert.deepEqual(other, first);
});

interface ChildRun {
  readonly to: string;
  readonly work: string;
  readonly variant: string;
  readonly killAfter: number | undefined;
}

/** Undefined when it was killed. */
function runChild(
  target: PublishTarget,
  { to, work, variant, killAfter }: ChildRun,
): Promise<PublishReport | undefined> {
  const place = to.slice(to.indexOf(':') + 1);
  const args = [
    CHILD,
    target.id,
    place,
    variant,
    work,
    ...(killAfter === undefined ? [] : [String(killAfter)]),
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...target.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece) => (stdout += piece));
  child.stderr.on('data', (piece) => (stderr += piece));
  return new Promise((resolve, reject) => {
    child.on('close', async (code, signal) => {
      await groupIsGone(child.pid ?? 0);
      if (code === 0) resolve(JSON.parse(stdout) as PublishReport);
      else if (signal === 'SIGKILL') resolve(undefined);
      else reject(new Error(`${target.id}: ${stderr}`));
    });
  });
}

/** A program that the killed process had started (git, rsync) goes on to its end, and what it does counts. */
async function groupIsGone(group: number): Promise<void> {
  const alive = new RegExp(`\\) [^ZX] \\d+ ${group} `); // /proc/PID/stat: (name) state parent group
  const isAlive = (pid: string) => /^\d+$/.test(pid) && alive.test(readIfThere(`/proc/${pid}/stat`));
  while (readdirSync('/proc').some(isAlive)) await sleep(10);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Follows the root to every file, as a reader does; all must be there, whole and of one variant. */
function variantOf(files: Readonly<Record<string, string>>): string {
  const root = readRoot(files['site.js'] ?? '');
  assert.ok(root, 'there is no root');
  const variants = new Set<string>();
  for (const [folder, hash] of Object.entries(root.folders)) {
    const listing = readListing(files[listingPlace(folder, hash)] ?? '');
    assert.ok(listing, `the listing of "${folder}" is missing`);
    for (const [name, entry] of listing) {
      const text = files[placeOf(folder === '' ? name : `${folder}/${name}`, entry)];
      assert.ok(text !== undefined, `${folder}/${name} is missing`);
      const sha256 = createHash('sha256').update(text, 'latin1').digest('hex');
      assert.ok(sha256.startsWith(entry.hash), `${folder}/${name} has other bytes`);
      const variant = /^([vwa]\w*) /.exec(text)?.[1];
      if (variant !== undefined && !text.startsWith('always')) variants.add(variant);
    }
  }
  assert.equal(variants.size, 1, [...variants].join(', '));
  return [...variants][0] ?? '';
}
