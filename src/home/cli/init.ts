import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { type MadeExperiment, makeExperiment } from '../app/make-experiment.ts';
import { type MadeHome, makeHome } from '../app/make-home.ts';

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

/** How the one file of an experiment without other stages is started, and where one with all stages measures. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: { program: 'bash', file: 'run.sh', measures: 'run.sh' },
  python: { program: 'python3', file: 'run.py', measures: 'run.py' },
  node: { program: 'node', file: 'run.mjs', measures: 'stages.mjs' },
};

interface Language {
  readonly program: string;
  readonly file: string;
  readonly measures: string;
}

/** nightmark init [HOME] --experiment NAME --language LANGUAGE [--minimal] */
export async function initExperiment(dir: string, options: Options, context: CliContext): Promise<void> {
  const language = textOption(options, 'language') ?? 'bash';
  const chosen = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (chosen === undefined) {
    throw new NightmarkError('CLI_INVALID_OPTION', `There is no template for --language ${language}.`, {
      hint: `Use one of ${Object.keys(LANGUAGES).join(', ')}; experiments of other languages begin like those of bash.`,
    });
  }
  const isMinimal = flag(options, 'minimal');
  const name = textOption(options, 'experiment') ?? '';
  const made = await makeExperiment(
    {
      home: resolvePath(context.cwd, dir),
      name,
      template: joinPath(context.packageDir, 'templates', isMinimal ? 'minimal' : 'experiment', language),
      fillIn: flag(options, 'force'),
      ...(isMinimal && { minimal: chosen }),
    },
    context.disk,
  );
  const file = `experiments/${name}/${isMinimal ? chosen.file : chosen.measures}`;
  context.stdout.write(
    flag(options, 'json') ? `${JSON.stringify(made)}\n` : describeExperiment(made, { dir, name, file }),
  );
}

interface MinimalFile {
  readonly dir: string;
  readonly name: string;
  /** What a user replaces with an own measurement. */
  readonly file: string;
}

function describeExperiment(
  { home, written, toAdd }: MadeExperiment,
  { dir, name, file }: MinimalFile,
): string {
  const target = dir === '.' ? '' : ` ${shellQuote(dir)}`;
  const run = `nightmark run${target} --only ${shellQuote(name)}`;
  const width = Math.max(run.length, file.length);
  const others = written.filter((path) => !path.startsWith(`experiments/${name}/`));
  const count = written.length - others.length;
  const folder = `experiments/${name} (${count} ${count === 1 ? 'file' : 'files'})`;
  const byHand = `Put these lines into nightmark.yml, where experiments are not written as a block:\n${toAdd}`;
  return [
    `${home}: wrote ${[folder, ...others].join(' and ')}. ${toAdd === '' ? 'Now:' : byHand}`,
    `  ${run.padEnd(width)}  measures it`,
    `  ${file.padEnd(width)}  is what it measures: put your own there\n`,
  ].join('\n');
}
