import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { Prerequisites } from '../core/prerequisites.ts';
import { checkPrerequisites, dashboardInfo } from '../dashboard-info.ts';
import { readJsonObject, writeStatus } from '../stage-files.ts';
import { homeOption } from './kit-options.ts';

/** nightmark prerequisites: whether other experiments of the home have what this one needs. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<needed>', 'a JSON file, or JSON itself: {"EXPERIMENT": {"FIELD": VALUE}}')
      .option('--home <dir>', 'the home; default: $NIGHTMARK_HOME, else the current folder')
      .option('--status <dir>', 'write a failed status.json there when something is missing')
      .option('--json', 'print {"success", "message"}')
      .addHelpText(
        'after',
        `\nExample:\n  nightmark prerequisites '{"cnn": {"devices": ["cpu"]}}' --status "$3" || exit 0\n\nExit code 0: all is there; 1: something is missing.`,
      );
  },
  async run([needed = ''], options, context) {
    const info = dashboardInfo(homeOption(options, context));
    const found = await checkPrerequisites(info, read(needed, context.cwd));
    const status = textOption(options, 'status');
    if (!found.success && status !== undefined) {
      writeStatus(resolvePath(context.cwd, status), false, found.message);
    }
    context.stdout.write(flag(options, 'json') ? `${JSON.stringify(found)}\n` : `${found.message}\n`);
    return found.success ? EXIT.fine : EXIT.error;
  },
};

export default command;

function read(needed: string, cwd: string): Prerequisites {
  const content = needed.trimStart().startsWith('{')
    ? parsed(needed)
    : readJsonObject(resolvePath(cwd, needed));
  for (const [name, fields] of Object.entries(content)) {
    if (!isJsonObject(fields)) throw wrong(`${name} is ${JSON.stringify(fields)}, expected {"FIELD": VALUE}`);
  }
  return content as Prerequisites;
}

function parsed(text: string) {
  try {
    return JSON.parse(text) as Readonly<Record<string, JsonValue>>;
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause));
  }
}

function wrong(what: string): NightmarkError {
  return new NightmarkError('KIT_PREREQUISITES', `What is needed cannot be read: ${what}.`, {
    hint: `For example: nightmark prerequisites '{"cnn": {"devices": ["cpu"]}}'`,
  });
}
