import { type MadeExperiment, makeExperiment } from '../../app/make-experiment.ts';
import { NightmarkError } from '../../core/errors.ts';
import { joinPath, resolvePath } from '../../core/path.ts';
import { flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';

/** How the one file of an experiment without other stages is started. */
const LANGUAGES: Readonly<Record<string, { readonly program: string; readonly file: string }>> = {
  bash: { program: 'bash', file: 'run.sh' },
  python: { program: 'python3', file: 'run.py' },
  node: { program: 'node', file: 'run.mjs' },
};

/** nightmark init [HOME] --experiment NAME --language LANGUAGE [--minimal] */
export async function initExperiment(dir: string, options: Options, context: CliContext): Promise<void> {
  const language = textOption(options, 'language') ?? 'bash';
  const minimal = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined;
  if (minimal === undefined) {
    throw new NightmarkError('CLI_INVALID_OPTION', `There is no template for --language ${language}.`, {
      hint: `Say one of ${Object.keys(LANGUAGES).join(', ')}; experiments of other languages begin like those of bash.`,
    });
  }
  const isMinimal = flag(options, 'minimal');
  const made = await makeExperiment(
    {
      home: resolvePath(context.cwd, dir),
      name: textOption(options, 'experiment') ?? '',
      template: joinPath(context.packageDir, 'templates', isMinimal ? 'minimal' : 'experiment', language),
      fillIn: flag(options, 'force'),
      ...(isMinimal && { minimal }),
    },
    context.disk,
  );
  context.stdout.write(flag(options, 'json') ? `${JSON.stringify(made)}\n` : describe(made, dir, options));
}

function describe({ home, written, toAdd }: MadeExperiment, dir: string, options: Options): string {
  const by =
    toAdd === ''
      ? ''
      : `Put these lines into nightmark.yml, where experiments are not written as a block:\n${toAdd}`;
  const target = dir === '.' ? '' : ` ${dir}`;
  return `${home}: ${written.length} files written.\n${by}  nightmark run${target} --only ${textOption(options, 'experiment')}      measures it\n`;
}
