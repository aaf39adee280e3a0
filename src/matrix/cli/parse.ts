import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { whyEmpty } from '../app/make-entries.ts';
import { describeMatrix, describeParseProblems } from './describe-parsing.ts';
import { loadWorkload } from './load-workload.ts';
import { addParseOptions, matrixEffects, parseRequest } from './parse-options.ts';
import { readOverview } from './read-overview.ts';
import { writeEntries } from './write-entries.ts';

const command: CommandModule = {
  configure(parser) {
    addParseOptions(parser)
      .option('-o, --output <file>', 'write the entries as JSON; "-" is the standard output')
      .option('--json', 'write the entries as JSON to the standard output')
      .option('--pretty', 'indent the JSON')
      .option('--strict', 'a test of which something could not be read is an error')
      .addHelpText('after', HELP);
  },

  async run([dir = ''], options, context) {
    const { cwd, stdout, stderr } = context;
    const workload = await loadWorkload(textOption(options, 'workload') ?? '', context);
    const request = parseRequest(dir, options, { workload, cwd, env: context.env });
    const effects = matrixEffects(context);
    const overview = await readOverview(request, effects);
    const { report } = overview;
    stderr.write(describeParseProblems(report));
    if (report.entries === 0) {
      throw new NightmarkError('MATRIX_NO_RESULTS', `${dir} gave no entry. ${whyEmpty(report)}`, {
        hint: 'A test directory has a settings file and an exit_code; see docs/guide/matrix-results.md.',
      });
    }
    const file = textOption(options, 'output') ?? (flag(options, 'json') ? '-' : undefined);
    if (file !== undefined) {
      const path = file === '-' ? undefined : resolvePath(cwd, file);
      const indent = flag(options, 'pretty') ? 4 : 0;
      await writeEntries({ request, overview, path, indent }, effects, context);
    }
    (file === '-' ? stderr : stdout).write(describeMatrix(overview));
    const isIncomplete = report.partial + report.broken > 0;
    return flag(options, 'strict') && isIncomplete ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Finds the test directories below DIR, reads them as the workload says, and shows which settings they have. What could not be read is
counted and named; the rest is not lost. Read tests are remembered in DIR/.nightmark/cache until one of their files changes.`;
