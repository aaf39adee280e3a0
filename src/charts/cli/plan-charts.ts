import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath, resolvePath } from '../../platform/core/path.ts';

/** One picture to draw: where its description is, and where it goes. */
export interface ChartTask {
  /** For messages: a path, "stdin", or a line of a batch. */
  readonly origin: string;
  /** The description as text, or as it was found in a batch. */
  readonly spec: { readonly text: string } | { readonly content: unknown };
  /** Absolute; "-" is stdout. */
  readonly output: string;
  readonly format: Format;
}

export type Format = 'png' | 'svg';

export interface ChartOrders {
  readonly specs: readonly string[];
  readonly output: string | undefined;
  readonly format: string | undefined;
}

/** What `nightmark chart SPEC... -o OUTPUT` draws; each spec is read when its turn comes. */
export async function* planCharts(
  orders: ChartOrders,
  context: CliContext,
): AsyncGenerator<ChartTask | NightmarkError> {
  const { specs, output } = orders;
  const format = formatOption(orders.format);
  const intoFolder = await isFolder(output, context);
  if (specs.length > 1 && output !== undefined && !intoFolder) {
    throw new NightmarkError('CHART_OUTPUT', `${specs.length} charts cannot all be ${output}.`, {
      hint: 'Name a folder: -o charts/ ; or leave -o out: each picture is written beside its file.',
    });
  }
  for (const spec of specs) {
    try {
      yield await planChart(spec, { output, format, intoFolder }, context);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      yield error;
    }
  }
}

interface Destination {
  readonly output: string | undefined;
  readonly format: Format | undefined;
  readonly intoFolder: boolean;
}

async function planChart(
  spec: string,
  { output, format, intoFolder }: Destination,
  context: CliContext,
): Promise<ChartTask> {
  const isStdin = spec === '-';
  const origin = isStdin ? 'stdin' : spec;
  const stem = origin.replace(/\.json$/, '');
  const name = `${intoFolder ? baseName(stem) : stem}.${format ?? 'png'}`;
  const usual = isStdin ? '-' : name;
  const place = intoFolder ? joinPath(output ?? '', name) : (output ?? usual);
  const where = destination(place, format, context);
  const text = isStdin ? await readStdin(context) : await readSpec(spec, context);
  return { origin, spec: { text }, ...where };
}

/** Where a picture goes, and as what: the ending of the name decides unless --format does. */
function destination(
  place: string,
  format: Format | undefined,
  { cwd }: CliContext,
): Pick<ChartTask, 'output' | 'format'> {
  if (place === '-') return { output: '-', format: format ?? 'svg' };
  const [, ending] = /\.(png|svg)$/i.exec(place) ?? [];
  const chosen = format ?? (ending?.toLowerCase() as Format | undefined);
  if (chosen === undefined) {
    throw new NightmarkError('CHART_OUTPUT', `${place} ends neither in .png nor in .svg.`, {
      hint: 'Name the file so, or use --format png.',
    });
  }
  return { output: resolvePath(cwd, place), format: chosen };
}

export function formatOption(format: string | undefined): Format | undefined {
  if (format === undefined || format === 'png' || format === 'svg') return format;
  throw new NightmarkError('CLI_INVALID_OPTION', `Unknown --format ${format}.`, {
    hint: 'Use png or svg.',
  });
}

async function isFolder(output: string | undefined, { cwd, disk }: CliContext): Promise<boolean> {
  if (output === undefined || output === '-') return false;
  if (output.endsWith('/')) return true;
  // A name with an ending needs no read of the disk.
  return !/\.(png|svg)$/i.test(output) && (await disk.stat(resolvePath(cwd, output)))?.type === 'folder';
}

async function readSpec(path: string, { cwd, disk }: CliContext): Promise<string> {
  const text = await disk.readText(resolvePath(cwd, path), { maxBytes: MAX_BYTES });
  if (text !== undefined) return text;
  throw new NightmarkError('CHART_NO_FILE', `There is no file ${path}.`, {
    hint: 'Name a chart file, or - for stdin.',
  });
}

/** A description beyond this is a mistake: a picture has some thousand pixels. */
const MAX_BYTES = 256 * 2 ** 20;

async function readStdin({ stdin }: CliContext): Promise<string> {
  const lines: string[] = [];
  for await (const line of stdin ?? []) lines.push(line);
  return lines.join('\n');
}

/** The lines of a batch, or its problem: {"spec": CHART, "output": FILE} each; "spec" may name a file too. */
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
