import { tarArchiver } from '../../platform/adapters/tar/tar.ts';
import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import type { SecretPlace } from '../app/backup-home.ts';
import { type RestoreReport, restoreHome, verifyBackup } from '../app/restore-home.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<file>', 'backup of a home, ours or of the nightly dashboard')
      .argument('[home]', 'folder to restore into (default: its name, in the current folder)')
      .option('--force', 'replace a home that is there; it is kept beside')
      .option('--verify', 'only read the backup to its end and show what is in it')
      .option('--json', 'print the report as JSON');
  },

  async run([given = '', home], options, { cwd, disk, signal, stdout }) {
    const effects = { disk, archiver: tarArchiver };
    const file = resolvePath(cwd, given);
    const isJson = flag(options, 'json');
    if (flag(options, 'verify')) {
      const found = await verifyBackup(file, effects, signal);
      const size = `${found.entries} entries, ${(found.bytes / 1e6).toFixed(1)} MB`;
      const text = `${file} is whole: ${size}, home ${found.prefix || '.'}.\n`;
      stdout.write(isJson ? `${JSON.stringify({ file, ...found })}\n` : text);
      return EXIT.fine;
    }
    const name = home ?? (baseName((await verifyBackup(file, effects, signal)).prefix) || 'home');
    const into = resolvePath(cwd, name);
    const report = await restoreHome({ file, into, force: flag(options, 'force'), signal }, effects);
    stdout.write(isJson ? `${JSON.stringify(report)}\n` : describe(report));
    return EXIT.fine;
  },
};

export default command;

function describe({ into, entries, secretsKept, secretsMissing, previous }: RestoreReport): string {
  const lines = [`${into}: ${entries} entries restored.`];
  if (previous !== undefined) lines.push(`The home that was there is now ${previous}.`);
  if (secretsKept.length > 0) lines.push('Secrets kept:', ...secretsKept.map(describeSecret));
  if (secretsMissing.length > 0)
    lines.push('Secrets to be set again:', ...secretsMissing.map(describeSecret));
  lines.push(`Rebuild its index with: nightmark reindex ${into}`);
  return `${lines.join('\n')}\n`;
}

function describeSecret({ file, keys }: SecretPlace): string {
  return keys.length === 0 ? `  ${file}` : `  ${file}: ${keys.join(', ')}`;
}
