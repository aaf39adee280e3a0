import { tarArchiver } from '../../platform/adapters/tar/tar.ts';
import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { nightLabel } from '../../platform/core/text/times.ts';
import { type BackupReport, backupHome, type SecretPlace } from '../app/backup-home.ts';
import { inspectHome } from '../config/read-home.ts';
import { backupName } from '../core/home-layout.ts';
import { requireHome } from './home-argument.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'folder of the home', '.')
      .option('-o, --output <file>', 'file to write (default: dashboard_<time>.tar.gz in the current folder)')
      .option('--json', 'print the report as JSON');
  },

  async run([home = '.'], options, context) {
    const { cwd, disk, signal } = context;
    const dir = await requireHome(resolvePath(cwd, home), disk);
    const output = textOption(options, 'output');
    const file = output === undefined ? await freeName(context) : resolvePath(cwd, output);
    const alsoLeftOut = await workFolders(dir, context);
    const report = await backupHome(
      { home: dir, file, alsoLeftOut, signal },
      { disk, archiver: tarArchiver },
    );
    context.stdout.write(flag(options, 'json') ? `${JSON.stringify(report)}\n` : describe(report));
    return EXIT.fine;
  },
};

export default command;

/** Folders that the definition puts inside the home; a definition that cannot be read is backed up all the same. */
async function workFolders(dir: string, context: CliContext): Promise<readonly string[]> {
  const inspection = await inspectHome(dir, {}, context);
  if (inspection.state === 'unusable') return [];
  const { tmp, backup, setup } = inspection.reading.home.folders;
  return [tmp, backup, setup];
}

/** Two backups in one minute are two files. */
async function freeName({ cwd, clock, disk }: CliContext): Promise<string> {
  const label = nightLabel(clock.wall(clock.now()));
  let file = joinPath(cwd, backupName(label, 'before'));
  for (let number = 2; await disk.stat(file); number++) {
    file = joinPath(cwd, backupName(`${label}-${number}`, 'before'));
  }
  return file;
}

function describe({ file, entries, bytes, secrets, notes }: BackupReport): string {
  const lines = [`${file}: ${entries} entries, ${(bytes / 1e6).toFixed(1)} MB, read back whole.`];
  if (secrets.length > 0) lines.push('Secrets left out:', ...secrets.map(describeSecret));
  if (notes.length > 0) lines.push('Not in the backup:', ...notes.map((note) => `  ${note}`));
  return `${lines.join('\n')}\n`;
}

function describeSecret({ file, keys }: SecretPlace): string {
  return keys.length === 0 ? `  ${file}` : `  ${file}: ${keys.join(', ')}`;
}
