import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

test('a home restored from the backup after its night is that home, without its secrets', async () => {
  const home = makeScriptHome(['alpha'], SCRIPTS);
  const copy = `${home}-restored`;
  folders.push(home, copy);
  addExperiment(home, 'talks', SCRIPTS, {
    slack_client_token: 'xoxb-secret',
    webhook_url: 'https://example.org/hook',
  });
  assert.equal((await runBinary(['run', home])).code, 0);
  const backups = fs.readdirSync(join(home, '.nightmark/backups'));
  const file = join(home, '.nightmark/backups', backups.find((name) => name.endsWith('_after.tar.gz')) ?? '');
  assert.equal((await runBinary(['restore', file, '--verify'])).code, 0);

  const restored = await runBinary(['restore', file, copy]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout + restored.stderr, /slack_client_token/);
  const config = fs.readFileSync(join(copy, 'config/experiments/talks/config.json'), 'utf8');
  assert.doesNotMatch(config, /xoxb-secret|example\.org/);
  const data = (dir: string) => {
    const folder = join(dir, 'results/experiments/data/alpha');
    return fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]);
  };
  assert.deepEqual(data(copy), data(home));

  const [was, is] = await Promise.all([home, copy].map((dir) => runBinary(['status', dir, '--json'])));
  const { home: _, ...before } = JSON.parse(was?.stdout ?? '{}') as Record<string, unknown>;
  const { home: __, ...now } = JSON.parse(is?.stdout ?? '{}') as Record<string, unknown>;
  assert.deepEqual(now, before);
});
