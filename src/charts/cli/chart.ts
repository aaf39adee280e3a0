import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import { drawChartFile } from '../core/file/draw-chart-file.ts';
import { checkChartFile, readChartFile } from '../core/file/read-chart-file.ts';
import { type ChartTask, formatOption, planCharts, readBatch } from './plan-charts.ts';

/** While the renderer works on some in threads of its own, the next ones are described. */
const AT_ONCE = 4;

/** nightmark chart SPEC... -o FILE: draws what chart files describe. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[spec...]', 'chart files (JSON); - is stdin')
      .option('-o, --output <file>', 'FILE.png or FILE.svg, a folder for several, - for stdout')
      .option('--format <format>', 'png or svg; default: what the name of the output ends in')
      .option('--batch <file>', 'many charts: a line {"spec": CHART, "output": FILE} for each; - is stdin')
      .option('--json', 'print what was drawn as JSON')
      .addHelpText('after', EXAMPLES);
  },
  async run(specs, options, context) {
    const { drawn, errors } = await drawAll(tasks(specs, options, context), context);
    if (flag(options, 'json')) context.stdout.write(`${JSON.stringify({ drawn, failed: errors.length })}\n`);
    const [first] = errors;
    if (first === undefined) return EXIT.fine;
    if (errors.length + drawn.length === 1) throw first;
    for (const { message } of errors) context.stderr.write(`error: ${message}\n`);
    throw new NightmarkError(
      'CHART_SOME_FAILED',
      `${errors.length} of ${errors.length + drawn.length} charts were not drawn.`,
      { hint: first.hint ?? 'The lines above say why.' },
    );
  },
};

export default command;

const EXAMPLES = `
Examples:
  echo '{"chart": "bar", "bars": [{"label": "a", "value": 1.5}]}' | nightmark chart - -o bar.png
  nightmark chart times.json -o times.svg
  nightmark chart charts/*.json -o graphs/
  nightmark chart --batch all.ndjson`;

function tasks(
  specs: readonly string[],
  options: Options,
  context: CliContext,
): AsyncIterable<ChartTask | NightmarkError> {
  const [batch, output, format] = ['batch', 'output', 'format'].map((name) => textOption(options, name));
  if (batch !== undefined && specs.length === 0) return readBatch(batch, formatOption(format), context);
  if (batch !== undefined || specs.length === 0) {
    throw new NightmarkError(
      'CHART_NOTHING',
      batch === undefined ? 'Which chart is to be drawn?' : 'Name chart files or a batch, not both.',
      { hint: 'nightmark chart SPEC.json -o FILE.png; nightmark chart --help has examples.' },
    );
  }
  return planCharts({ specs, output, format }, context);
}

interface Drawn {
  readonly drawn: readonly string[];
  readonly errors: readonly NightmarkError[];
}

/** A chart that cannot be drawn does not stop the others. */
async function drawAll(list: AsyncIterable<ChartTask | NightmarkError>, context: CliContext): Promise<Drawn> {
  const outcomes: Result<string, NightmarkError>[] = [];
  const running = new Set<Promise<void>>();
  const draw = async (task: ChartTask | NightmarkError, place: number) => {
    outcomes[place] = task instanceof NightmarkError ? failed(task) : await outcomeOf(task, context);
  };
  let place = 0;
  for await (const task of list) {
    if (context.signal.aborted) break;
    const work: Promise<void> = draw(task, place++).finally(() => running.delete(work));
    running.add(work);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  return {
    drawn: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
    errors: outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
  };
}

async function outcomeOf(task: ChartTask, context: CliContext): Promise<Result<string, NightmarkError>> {
  try {
    await drawTask(task, context);
    return ok(task.output);
  } catch (error) {
    if (error instanceof NightmarkError) return failed(error);
    throw error;
  }
}

/** Draws one chart and writes it. The renderer of pictures is loaded with the first one. */
async function drawTask({ origin, spec, output, format }: ChartTask, context: CliContext): Promise<void> {
  const file = 'text' in spec ? readChartFile(spec.text, origin) : checkChartFile(spec.content, origin);
  const svg = drawChartFile(file);
  if (format === 'svg') {
    if (output === '-') context.stdout.write(`${svg}\n`);
    else await context.disk.writeText(output, `${svg}\n`);
    return;
  }
  const { resvg } = await import('../adapters/resvg.ts');
  const bytes = await resvg.png(svg);
  if (output !== '-') return context.disk.writeBytes(output, bytes);
  if (context.stdout.isTerminal) {
    throw new NightmarkError('CHART_OUTPUT', 'A picture would not be readable on a terminal.', {
      hint: 'Name a file: -o chart.png',
    });
  }
  context.stdout.writeBytes?.(bytes);
}
