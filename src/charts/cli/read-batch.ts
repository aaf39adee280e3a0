import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { type ChartTask, destination, type Format } from './plan-charts.ts';

/** The lines of a batch, or what is wrong with one: {"spec": CHART, "output": FILE} each; "spec" may name a file too. */
export async function* readBatch(
  file: string,
  format: Format | undefined,
  context: CliContext,
): AsyncGenerator<ChartTask | NightmarkError> {
  let number = 0;
  for await (const line of await linesOf(file, context)) {
    number++;
    if (line.trim() === '') continue;
    try {
      yield await readLine(line, `${file === '-' ? 'stdin' : file}:${number}`, { format, context });
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      yield error;
    }
  }
}

async function readLine(
  line: string,
  origin: string,
  { format, context }: { readonly format: Format | undefined; readonly context: CliContext },
): Promise<ChartTask> {
  const { spec, output } = parsed(line, origin);
  const where = destination(output, format, context);
  if (typeof spec !== 'string') return { origin: `${origin}: spec`, spec: { content: spec }, ...where };
  const text = await context.disk.readText(resolvePath(context.cwd, spec));
  if (text === undefined) throw broken(`${origin}: there is no file ${spec}`);
  return { origin: `${origin}: ${spec}`, spec: { text }, ...where };
}

function parsed(line: string, origin: string): { readonly spec: unknown; readonly output: string } {
  let content: unknown;
  try {
    content = JSON.parse(line);
  } catch (cause) {
    throw broken(`${origin} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const { spec, output } = (content ?? {}) as { readonly spec?: unknown; readonly output?: unknown };
  if (typeof output !== 'string' || output === '') {
    throw broken(`${origin}: output is ${JSON.stringify(output) ?? 'missing'}: expected the name of a file`);
  }
  if (spec === undefined)
    throw broken(`${origin}: spec is missing: expected a chart, or the name of its file`);
  return { spec, output };
}

function broken(what: string): NightmarkError {
  return new NightmarkError('CHART_BATCH', `${what}.`, {
    hint: 'A line of a batch: {"spec": {"chart": "bar", "bars": []}, "output": "a.png"}',
  });
}

async function linesOf(file: string, { cwd, disk, stdin }: CliContext): Promise<AsyncIterable<string>> {
  if (file === '-') return stdin ?? none();
  const blocks = await disk.readLineBlocks(resolvePath(cwd, file));
  if (blocks) return flat(blocks);
  throw new NightmarkError('CHART_NO_FILE', `There is no file ${file}.`, {
    hint: 'Name a batch: --batch FILE.ndjson',
  });
}

async function* flat(blocks: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const block of blocks) yield* block;
}

async function* none(): AsyncGenerator<string> {}
