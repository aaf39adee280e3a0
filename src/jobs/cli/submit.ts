import {
  declarePlace,
  numberOption,
  pairsOption,
  placeOf,
  resourcesOf,
} from '../../executors/cli/place-options.ts';
import type { Executor } from '../../executors/core/executor.ts';
import type { GitState } from '../../git/core/source-control.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  listOption,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { type JobDraft, submitJobs } from '../app/submit-jobs.ts';
import { parseSetting } from '../config/job-settings.ts';
import { type JobCode, type JobProgram, shortId } from '../core/job.ts';
import { wholeIds } from './job-selector.ts';
import { HOME_OPTION, type JobHome, openJobHome, POSTGRES_OPTION } from './open-queue.ts';
import { checkFolder, EXCLUDE_OPTION, MAX_PACKAGE_OPTION, packageCode } from './pack.ts';
import { draftsOf } from './submit-drafts.ts';
import { waitForJobs } from './wait-for-jobs.ts';

const EXAMPLES = `
The code of this folder is packed (without what .nightmarkignore or .jobignore names), stored once by its content, and
unpacked for the job wherever it runs. Start a worker with: nightmark job work

Examples:
  nightmark job submit -- python3 train.py --lr 0.1            a command
  nightmark job submit --script train.py --set lr=0.1          a Python module with "config" and "main()"
  nightmark job submit --script train.py --sweep lr=0.1,0.01 --sweep seed=1..5     ten jobs
  nightmark job submit --executor slurm --cpus 8 --time 2h -- ./bench.sh
  nightmark job submit --workers 4 --executor slurm --mpi -- ./solver`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[command...]', 'program and arguments, behind --')
      .option('--script <file>', 'a Python module with "config" and "main()", relative to the code')
      .option('--config <file>', 'YAML or JSON with settings of the job')
      .option('--set <key=value...>', 'one setting; dots lead into objects; may be given several times')
      .option('--sweep <key=v1,v2...>', 'one job for each value (also 1..5); several multiply')
      .option('--matrix <file>', 'one job for each test of a matrix file')
      .option('--project <name>', 'project (default: name of the home)')
      .option('--experiment <name>', 'experiment (default: name of the folder with the code)')
      .option('--name <name>', 'name of the job (default: name of the program)')
      .option('--user <name>', 'owner (default: USER)')
      .option('--priority <n>', 'the higher goes first', '1')
      .option('--workers <n>', 'processes that work on it together, each with a rank', '1')
      .option('--retries <n>', 'how often it is tried again when it fails', '0')
      .option('--after <id...>', 'jobs that must have finished before')
      .option('--env <name=value...>', 'a variable of its environment')
      .option('--code <dir>', 'folder with the code (default: this one), or "none"')
      .option('--by-path', 'copy the code when the job starts, instead of packing it now')
      .option('--package <hash>', 'code that nightmark job pack stored, instead of packing it now')
      .option(...EXCLUDE_OPTION)
      .option(...MAX_PACKAGE_OPTION)
      .option('--note <text>', 'a description')
      .option('--annotate <key=value...>', 'a note of any name; may be given several times')
      .option(...HOME_OPTION)
      .option(...POSTGRES_OPTION)
      .option('--wait', 'wait until it has ended; exit code 4 when it did not finish')
      .option('--dry-run', 'show what would be submitted')
      .option('--json', 'print JSON');
    declarePlace(parser, 'process');
    parser.option('--mpi', 'one Slurm allocation for all workers, started by srun');
    parser.addHelpText('after', EXAMPLES);
  },

  async run(words, options, context) {
    const { stdout } = context;
    const base = await baseDraft(words, options, context);
    const drafts = await draftsOf(base, options, context);
    if (flag(options, 'dryRun')) {
      stdout.write(`${JSON.stringify(drafts, null, 2)}\n`);
      return EXIT.fine;
    }
    const jobs = await openJobHome(options, context);
    try {
      const ids = await submit(drafts, { options, context, jobs });
      if (flag(options, 'json')) stdout.write(`${JSON.stringify({ ids })}\n`);
      else stdout.write(ids.map((id) => `${id}\n`).join(''));
      if (!flag(options, 'wait')) return EXIT.fine;
      return await waitForJobs(ids, jobs.queue, context);
    } finally {
      await jobs.queue.close();
    }
  },
};

export default command;

async function baseDraft(words: readonly string[], options: Options, context: CliContext): Promise<JobDraft> {
  const { env, cwd } = context;
  const program = programOf(words, textOption(options, 'script'));
  const folder = codeFolder(options, context) ?? cwd;
  const home = resolvePath(cwd, textOption(options, 'home') ?? env['NIGHTMARK_HOME'] ?? '.');
  const git = await gitState(folder);
  return {
    user: textOption(options, 'user') ?? env['USER'] ?? env['LOGNAME'] ?? 'unknown',
    project: textOption(options, 'project') ?? (baseName(home) || 'home'),
    experiment: textOption(options, 'experiment') ?? (baseName(folder) || 'default'),
    name: textOption(options, 'name') ?? defaultName(program),
    program,
    overrides: {},
    ...(git && { git }),
    workers: numberOption(options, 'workers') ?? 1,
    priority: numberOption(options, 'priority') ?? 1,
    retries: numberOption(options, 'retries') ?? 0,
    executor: textOption(options, 'executor') ?? 'process',
    resources: resourcesOf(options),
    place: placeOf(options, env),
    env: pairsOption(options, 'env'),
    after: [],
  };
}

interface Around {
  readonly options: Options;
  readonly context: CliContext;
  readonly jobs: JobHome;
}

async function submit(drafts: readonly JobDraft[], around: Around): Promise<readonly string[]> {
  const { options, context, jobs } = around;
  const after = await wholeIds(listOption(options, 'after'), jobs.queue);
  const notes = listOption(options, 'annotate').map(parseSetting);
  const code = await codeOf(around);
  const ids = await submitJobs(
    drafts.map((draft) => ({ ...draft, after })),
    code,
    { queue: jobs.queue, randomSeed: context.randomSeed },
  );
  const note = textOption(options, 'note');
  for (const id of ids) {
    if (note !== undefined) await jobs.queue.annotate(id, 'description', note);
    for (const [path, value] of notes) await jobs.queue.annotate(id, path.join('.'), value);
  }
  const [first = ''] = ids;
  context.stderr.write(
    ids.length === 1
      ? `Submitted job ${shortId(first)}: nightmark job logs -f ${shortId(first)}\n`
      : `Submitted ${counted(ids.length, 'job')}.\n`,
  );
  return ids;
}

async function codeOf({ options, context, jobs }: Around): Promise<JobCode | undefined> {
  const hash = textOption(options, 'package');
  const root = codeFolder(options, context);
  if (hash !== undefined) return storedCode(hash, root, jobs);
  if (root === undefined) return undefined;
  await checkFolder(root, context);
  if (flag(options, 'byPath')) return { type: 'path', path: root };
  return (await packageCode(root, { options, context, jobs })).code;
}

async function storedCode(hash: string, root: string | undefined, { queue }: JobHome): Promise<JobCode> {
  const isThere = /^[0-9a-f]{64}$/.test(hash) && (await queue.hasPackage(hash));
  if (isThere) return { type: 'package', hash, name: `${baseName(root ?? 'code')}.tgz` };
  throw new NightmarkError('JOBS_NO_PACKAGE', `The queue has no package ${JSON.stringify(hash)} of code.`, {
    hint: 'Store it with: nightmark job pack FOLDER',
  });
}

/** Undefined: no code. */
function codeFolder(options: Options, { cwd }: CliContext): string | undefined {
  const given = textOption(options, 'code');
  return given === 'none' ? undefined : resolvePath(cwd, given ?? '.');
}

async function gitState(folder: string): Promise<GitState | undefined> {
  const { gitSources } = await import('../../git/adapters/git.ts');
  return gitSources(await loadAdapter<Executor>('executors', 'process')).snapshot(folder);
}

function programOf(words: readonly string[], script: string | undefined): JobProgram {
  const [first, ...rest] = words;
  if (script !== undefined && first === undefined) return { type: 'script', path: script };
  if (script === undefined && first !== undefined) return { type: 'command', argv: [first, ...rest] };
  throw new NightmarkError(
    'JOBS_NO_PROGRAM',
    script === undefined ? 'There is nothing to run.' : 'A script and a command cannot both be given.',
    { hint: 'Give --script FILE, or a command behind --: nightmark job submit -- python3 train.py' },
  );
}

function defaultName(program: JobProgram): string {
  const word =
    program.type === 'script' ? program.path : program.argv.find((one) => /\.(py|sh|js|ts|R|jl)$/.test(one));
  const name = baseName(word ?? (program.type === 'command' ? program.argv[0] : '')).replace(/\.\w+$/, '');
  return name === '' ? 'job' : name;
}
