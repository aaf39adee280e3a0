// Leaves beside each chunk what V8 compiled of it while common commands ran: see src/cli/compiled-chunks.ts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What scripts and people ask for most. Each goes on from what the one before left. */
const COMMANDS = [
  ['--version'],
  ['--help'],
  ['init', '.'],
  ['run', '.'],
  ['status', '.'],
  ['job', 'submit', '--', 'true'],
  ['job', 'list'],
  ['job', 'list', '--where', 'lr > 0.1 and status == "FAILED"', '--json'],
  ['chart', 'bars.json', '-o', 'bars.png'],
  ['chart', 'lines.json', '-o', 'lines.png'],
];
const CHARTS = {
  bars: { chart: 'bar', title: 't', xTitle: 'x', yTitle: 'y', bars: [{ label: 'a', value: 1 }] },
  lines: {
    ...{ chart: 'line', title: 't', xTitle: 'x', yTitle: 'y' },
    series: [{ label: 'a', x: ['2026-01-01', '2026-01-02'], y: [1, 2] }],
  },
};

/** Node 22 and later keep such files by themselves. */
export async function compileAhead(folder, start) {
  const { chunkScript, compiledFile } = await import('../../dist/src/cli/compiled-chunks.js');
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.cjs')) continue;
    const chunk = resolve(folder, name);
    // A compiled form forgets in whose name modules are imported.
    if (/[^.\w$]import\(/.test(readFileSync(chunk, 'utf8'))) continue;
    writeFileSync(compiledFile(chunk), chunkScript(chunk).createCachedData());
  }
  const home = mkdtempSync(join(tmpdir(), 'nightmark-compile-'));
  for (const [name, chart] of Object.entries(CHARTS))
    writeFileSync(join(home, `${name}.json`), JSON.stringify(chart));
  const keep = fileURLToPath(new URL('./keep-compiled.cjs', import.meta.url));
  for (const words of COMMANDS)
    spawnSync(process.execPath, ['--require', keep, resolve(start), ...words], {
      cwd: home,
      stdio: 'ignore',
    });
  spawnSync(process.execPath, ['--require', keep, '-e', callDriver(resolve(start), resolve(folder))], {
    stdio: 'ignore',
  });
  rmSync(home, { recursive: true, force: true });
}

/** No server is there while we are built: as far as the driver of PostgreSQL comes without one. */
function callDriver(start, folder) {
  return `
    process.argv.push('--version');
    require(${JSON.stringify(start)});
    const { Pool } = require(${JSON.stringify(join(folder, 'pg.cjs'))});
    const pool = new Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    pool.query('SELECT $1', [1]).catch(() => pool.end());
  `;
}
