import type { ReindexReport } from '../../home/app/reindex/reindex-progress.ts';
import { homeArgument } from '../../home/cli/home-argument.ts';
import { rebuildIndex } from '../../home/cli/rebuild-index.ts';
import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { describeRejudged } from './changes/describe-news.ts';
import { judgeUnjudged } from './changes/open-home.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .option('--json', 'print the report as JSON')
      .addHelpText(
        'after',
        '\nReads journals, data files, telemetry, payloads and the ledger of changes. The old index stays until the new one is whole.',
      );
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const report = await rebuildIndex(home, context);
    const judged = await judgeUnjudged(home, context);
    if (judged) context.stderr.write(`${describeRejudged(judged)}\n`);
    context.stdout.write(
      flag(options, 'json') ? `${JSON.stringify({ home, ...report })}\n` : describe(report),
    );
    return EXIT.fine;
  },
};

export default command;

const MAX_LINES = 20;

function describe(report: ReindexReport): string {
  const {
    runs,
    journals,
    dataFiles,
    values,
    sampleFiles,
    telemetryFiles,
    payloads,
    changes,
    failed,
    problems,
  } = report;
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ file, reason }) => `  ${visible(file)}: ${visible(reason)}`);
  if (problems.length > MAX_LINES)
    lines.push(`  and ${problems.length - MAX_LINES} more: nightmark reindex --json`);
  const sources = `${journals} journals, ${dataFiles} data files with ${values} values, ${sampleFiles} sample files, ${telemetryFiles} telemetry files${payloads === 0 ? '' : `, ${payloads} payloads`}${changes === 0 ? '' : `, ${changes} changes`}`;
  const failures = failed === 0 ? '' : ` ${failed} files could not be used.`;
  return `${[`Indexed ${runs} runs from ${sources}.${failures}`, ...lines].join('\n')}\n`;
}
