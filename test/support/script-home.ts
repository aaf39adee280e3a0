import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OK = `echo '{"success": true, "message": ""}'`;

/** Stage scripts as small as they can be: each leaves its results and its status. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  'run.sh': `#!/bin/sh\necho "$(basename "$1")" > "$2/raw.txt"\n${OK} > "$2/status.json"\n`,
  'analyze.sh': `#!/bin/sh\necho '{"cpu": {"A": 0.5, "B": 1.0}}' > "$3/data.json"\n${OK} > "$3/status.json"\n`,
  'visualize.sh': `#!/bin/sh\nmkdir -p "$3"\necho picture > "$3/a.svg"\n${OK} > "$3/status.json"\n`,
  'summarize.sh': `#!/bin/sh\nmkdir -p "$3"\necho '{"title": "t", "value": "v"}' > "$3/summary.json"\n${OK} > "$3/status.json"\n`,
};

/** A dashboard home in a temporary folder whose experiments are these scripts. */
export function makeScriptHome(
  names: readonly string[],
  scripts = SCRIPTS,
  config: Record<string, unknown> = {},
): string {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-home-')));
  const folders = {
    tmp_data_dir: '.nightmark/tmp',
    backup_dir: '.nightmark/backups',
    setup_dir: '.nightmark/setup',
  };
  fs.writeFileSync(join(home, 'config.json'), JSON.stringify({ ...folders, ...config }));
  for (const name of names) addExperiment(home, name, scripts);
  return home;
}

export function addExperiment(
  home: string,
  name: string,
  scripts = SCRIPTS,
  config: Record<string, unknown> = {},
): void {
  const source = join(home, 'experiments', name);
  fs.mkdirSync(source, { recursive: true });
  for (const [file, text] of Object.entries(scripts))
    fs.writeFileSync(join(source, file), text, { mode: 0o755 });
  fs.mkdirSync(join(home, 'config/experiments', name), { recursive: true });
  fs.writeFileSync(
    join(home, 'config/experiments', name, 'config.json'),
    JSON.stringify({ active: true, ...config }),
  );
}
