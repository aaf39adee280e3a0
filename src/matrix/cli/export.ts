import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { exportPayloads } from '../app/export-payloads.ts';
import { gatherPayloads } from './export-sources.ts';
import { addTargetOptions, refuseUnknownTarget, shownTarget, targetOf } from './export-target.ts';
import { describeExport } from './export-text.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<source...>', 'folders of results, folders of payloads, payload files')
      .requiredOption('-t, --to <target>', 'where to: opensearch:URL#index, csv:FILE, ... (see below)')
      .option('-w, --workload <file>', 'how the tests of results are read, and payloads are checked')
      .option('--filter <filters>', 'only these tests: key=v1:v2,key2=v3')
      .option('--no-cache', 'read every file of the results again, and remember nothing')
      .option('--compat', "the original's rules for settings and filters")
      .option('--strict-numbers', 'refuse "4" and true where a number, and 4 where a text is expected')
      .option('--by-kpi', 'opensearch: an index for each KPI, <index>.<kpi>')
      .option('--json', 'say what was done in JSON');
    addTargetOptions(parser).addHelpText('after', HELP);
  },

  async run(sources, options, context) {
    const to = textOption(options, 'to') ?? '';
    refuseUnknownTarget(to);
    const gathered = await gatherPayloads(sources, options, context);
    const filter = textOption(options, 'filter');
    const more = {
      ...(gathered.workload !== undefined && { name: gathered.workload }),
      ...(filter !== undefined && { filter }),
    };
    const { exporter, target } = await targetOf(to, { options, more }, context);
    const report = await exportPayloads({ payloads: gathered.payloads, exporter, target }, context.signal);
    const { stdout, stderr } = describeExport(report, {
      place: shownTarget({ exporter, target }),
      isDryRun: target.isDryRun,
      isJson: flag(options, 'json'),
    });
    context.stderr.write(stderr);
    context.stdout.write(stdout);
    return gathered.lost + report.refused.length > 0 ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Targets:
  opensearch:URL#index   horreum:URL#test   influx:URL#database
  csv:FILE   parquet:FILE   caliper:FILE   files:DIR
Credentials come from NIGHTMARK_OPENSEARCH_USER, _PASSWORD and _TOKEN (HORREUM, INFLUX alike), from variables that you name, or
from a file. What is not a payload is named and left out, and the exit code is 1. See docs/guide/matrix-export.md.`;
