import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { type MadeHome, makeHome } from '../app/make-home.ts';
import { initExperiment } from './init-experiment.ts';

const SCHEMA = 'nightmark.schema.json';

/** nightmark init [DIR] [--dashboard]: a new home that runs as it is; with --experiment, one more experiment in it. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[dir]', 'folder of the new home; default: the current one')
      .option('--dashboard', 'config.json and stage scripts instead of nightmark.yml')
      .option('--force', 'keep what is there and write only the files that are missing')
      .option(
        '--experiment <name>',
        'write one more experiment into a home that is there: setup, run, analyze, visualize, summarize',
      )
      .option('--language <name>', 'of the experiment: bash, python or node', 'bash')
      .option(
        '--minimal',
        'an experiment that only runs: one file that prints its numbers; for homes with nightmark.yml',
      )
      .option('--json', 'print what was written as JSON')
      .addHelpText(
        'after',
        '\nExamples:\n  nightmark init nights\n  nightmark init nights --experiment sorting --language python\n  nightmark init nights --experiment startup --language node --minimal',
      );
  },
  async run([dir = '.'], options, context) {
    if (textOption(options, 'experiment') !== undefined) {
      await initExperiment(dir, options, context);
      return EXIT.fine;
    }
    const isDashboard = flag(options, 'dashboard');
    const request = {
      home: resolvePath(context.cwd, dir),
      template: joinPath(context.packageDir, 'templates', isDashboard ? 'dashboard' : 'home'),
      fillIn: flag(options, 'force'),
      ...(isDashboard ? { otherLayout: 'nightmark.yml' } : {}),
    };
    const made = await makeHome(request, context.disk);
    if (!isDashboard) await copySchema(made.home, context);
    context.stdout.write(flag(options, 'json') ? `${JSON.stringify(made)}\n` : describe(made, dir));
    return EXIT.fine;
  },
};

export default command;

/** The first line of nightmark.yml points editors to this file; it fits the installed version and needs no network. */
async function copySchema(home: string, { disk, packageDir }: CliContext): Promise<void> {
  const schema = await disk.readText(joinPath(packageDir, 'schema', SCHEMA));
  if (schema !== undefined) await disk.writeText(joinPath(home, '.nightmark', SCHEMA), schema);
}

function describe({ home, written, kept }: MadeHome, dir: string): string {
  const target = dir === '.' ? '' : ` ${shellQuote(dir)}`;
  const left = kept.length === 0 ? '' : `, ${kept.length} left as they were`;
  return [
    `${home}: ${written.length} files written${left}. Now:`,
    `  nightmark run${target}      measures the first night`,
    `  nightmark serve${target}    shows it in the browser\n`,
  ].join('\n');
}
