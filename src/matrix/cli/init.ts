import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, dirName, isInside, resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { findExample, readExample } from '../config/workload/read-example.ts';
import { parseWorkloadFile } from '../config/workload/workload-file.ts';
import { type Draft, draftWorkload } from '../core/workload/draft/draft-workload.ts';

/** nightmark matrix init DIR: a workload file for results like those in the folder. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<dir>', 'a test directory, or a tree of results: the first test in it is the example')
      .option('-o, --output <file>', 'file to write (default: the standard output)')
      .option('--name <name>', 'name of the workload (default: that of the file, or of the folder)')
      .option('--force', 'replace an existing file')
      .option('--json', 'print what was found as JSON');
  },

  async run([dir = '.'], options, context) {
    const { cwd, disk, stdout, stderr } = context;
    const root = resolvePath(cwd, dir);
    const example = await findExample(root, disk);
    if (example === undefined) throw noExample(dir);
    const test = await readExample(example, parentsOf(example, root), disk);
    const draft = draftWorkload(nameOf(root, options), test);
    parseWorkloadFile('the draft', draft.text); // throws when the draft is invalid
    const output = textOption(options, 'output');
    if (output !== undefined) await write(resolvePath(cwd, output), draft, { options, context });
    const { text, ...found } = draft;
    const summary = { example, ...(output === undefined ? { text } : { file: output }), ...found };
    if (flag(options, 'json')) stdout.write(`${JSON.stringify(summary)}\n`);
    else {
      if (output === undefined) stdout.write(text);
      stderr.write(describe(example, draft, { dir, output }));
    }
    return EXIT.fine;
  },
};

export default command;

async function write(
  path: string,
  { text }: Draft,
  { options, context: { disk } }: { readonly options: Options; readonly context: CliContext },
): Promise<void> {
  if (!flag(options, 'force') && (await disk.stat(path)) !== undefined) {
    throw new NightmarkError('MATRIX_FILE_EXISTS', `${path} exists already.`, {
      hint: 'Give another name with -o, or --force to replace it.',
    });
  }
  await disk.writeText(path, text);
}

/** The folders above the example whose settings are inherited: those up to the given folder, and two above it. */
function parentsOf(example: string, root: string): readonly string[] {
  const parents: string[] = [];
  let beyond = 0;
  for (let dir = dirName(example); dir !== '/' && beyond < 2; dir = dirName(dir)) {
    parents.unshift(dir);
    if (!isInside(dir, root)) beyond++;
  }
  return parents;
}

function nameOf(root: string, options: Options): string {
  const output = textOption(options, 'output');
  const base =
    output === undefined ? baseName(root) : baseName(output).replace(/(?:\.workload)?\.ya?ml$/, '');
  return textOption(options, 'name') ?? (base.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'workload');
}

function describe(
  example: string,
  { fields, kpis, labels }: Draft,
  { dir, output }: { readonly dir: string; readonly output: string | undefined },
): string {
  const found = [
    counted(fields.length, 'field'),
    counted(labels.length, 'label'),
    counted(kpis.length, 'KPI'),
  ];
  const next = output === undefined ? '' : `Next: nightmark matrix parse ${dir} --workload ${output}\n`;
  return `Drafted from ${example}: ${found.join(', ')}. Units and directions are guesses.\n${next}`;
}

function noExample(dir: string): NightmarkError {
  return new NightmarkError('MATRIX_NO_EXAMPLE', `There is no test directory in ${dir}.`, {
    hint: 'A test directory has settings.yaml (or settings) and the files of the test.',
  });
}
