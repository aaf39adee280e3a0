import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { type MadeExperiment, makeExperiment } from '../app/make-experiment.ts';

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
      hint: `Say one of ${Object.keys(LANGUAGES).join(', ')}; experiments of other languages begin like those of bash.`,
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
    flag(options, 'json') ? `${JSON.stringify(made)}\n` : describe(made, { dir, name, file }),
  );
}

interface Asked {
  readonly dir: string;
  readonly name: string;
  /** What a user replaces with an own measurement. */
  readonly file: string;
}

function describe({ home, written, toAdd }: MadeExperiment, { dir, name, file }: Asked): string {
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
