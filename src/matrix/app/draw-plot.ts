import type { Chart, PlotPart } from '../../charts/core/chart.ts';
import { chartPage } from '../../charts/core/chart-page.ts';
import { chartSvg } from '../../charts/core/chart-svg.ts';
import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import { reportPage } from '../../charts/core/report-page.ts';
import type { ChartPlot, PlotRequest } from '../../formats/core/kpi/workload.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { type Drawn, plotFileName } from '../core/plots/report-index.ts';

export type FigureFormat = 'html' | 'svg' | 'png';

export interface DrawEffects {
  readonly disk: Disk;
  readonly pictures: PictureMaker;
}

interface Place {
  /** Absolute. */
  readonly dir: string;
  readonly index: number;
  readonly formats: readonly FigureFormat[];
}

/** Draws one plot or report into its files. An error of the plot itself is reported as a problem, not thrown. */
export async function drawPlot(
  plot: ChartPlot,
  { request, place }: { readonly request: PlotRequest; readonly place: Place },
  effects: DrawEffects,
): Promise<Drawn> {
  const name = plotFileName(plot, place.index);
  const { parts, problems } = partsOf(plot, request);
  if (plot.isReport) return drawReport(plot.name, { name, parts, problems, place }, effects);
  const charts = chartsOf(parts);
  const missing = problems.length === 0 && charts.length === 0 ? ['it returned no chart'] : [];
  const figures = await drawFigures(charts, { place, nameOf: (at) => figureName(name, at) }, effects);
  return {
    plot: plot.name,
    files: figures.flatMap(({ files }) => files),
    problems: [...problems, ...missing, ...figures.flatMap((figure) => figure.problems)],
  };
}

interface Report {
  readonly name: string;
  readonly parts: readonly PlotPart[];
  readonly problems: readonly string[];
  readonly place: Place;
}

async function drawReport(
  title: string,
  { name, parts, problems, place }: Report,
  effects: DrawEffects,
): Promise<Drawn> {
  const charts = parts.flatMap((part) => (part.type === 'chart' ? [part.chart] : []));
  const nameOf = (at: number) => `${name}_files/fig_${at}`;
  const figures = await drawFigures(charts, { place, nameOf }, effects);
  const failureTexts = problems.map((text): PlotPart => ({ type: 'text', text: `FAILED: ${text}` }));
  const { page, failures } = reportPage(
    title,
    [...parts, ...failureTexts],
    figures.map(({ files }) => files[0]),
  );
  await effects.disk.writeText(joinPath(place.dir, `${name}.html`), page);
  // What cannot be drawn in the page cannot be drawn as a file either: it is reported once.
  const others = figures.flatMap((figure) => figure.problems.filter(() => failures.length === 0));
  return { plot: title, files: [`${name}.html`], problems: [...problems, ...failures, ...others] };
}

interface Figures {
  readonly place: Place;
  nameOf(at: number): string;
}

/** Each chart in each format; a chart that cannot be drawn does not affect the others. */
async function drawFigures(
  charts: readonly Chart[],
  { place, nameOf }: Figures,
  { disk, pictures }: DrawEffects,
): Promise<readonly { readonly files: readonly string[]; readonly problems: readonly string[] }[]> {
  const drawn = [];
  for (const [at, chart] of charts.entries()) {
    const files: string[] = [];
    const problems: string[] = [];
    for (const format of place.formats) {
      const file = `${nameOf(at)}.${format}`;
      const path = joinPath(place.dir, file);
      try {
        if (format === 'html') await disk.writeText(path, chartPage(chart));
        else if (format === 'svg') await disk.writeText(path, chartSvg(chart));
        else
          await disk.writeBytes(path, await pictures.png(chartSvg(chart, { theme: 'light' }), { scale: 2 }));
        files.push(file);
      } catch (error) {
        problems.push(`${file}: ${reasonOf(error)}`);
      }
    }
    drawn.push({ files, problems });
  }
  return drawn;
}

/** The message of an error, with its hint. */
export function reasonOf(error: unknown): string {
  const hint = error instanceof NightmarkError ? error.hint : undefined;
  return `${messageOf(error)}${hint === undefined ? '' : ` ${hint}`}`;
}

/** The parts of a plot, checked: a user may have written the plot. */
function partsOf(
  plot: ChartPlot,
  request: PlotRequest,
): { readonly parts: readonly PlotPart[]; readonly problems: readonly string[] } {
  try {
    const parts: unknown = plot.draw(request);
    if (!Array.isArray(parts)) return { parts: [], problems: ['it did not return a list of parts'] };
    const usable = parts.filter((part): part is PlotPart => typeof part?.type === 'string');
    const lost = parts.length - usable.length;
    return { parts: usable, problems: lost === 0 ? [] : [`${lost} of its parts have no type`] };
  } catch (error) {
    return { parts: [], problems: [reasonOf(error)] };
  }
}

/** The charts of a plot; its texts are shown below the first. */
function chartsOf(parts: readonly PlotPart[]): readonly Chart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' || part.type === 'heading' ? [part.text] : []));
  const charts = parts.flatMap((part) => (part.type === 'chart' ? [part.chart] : []));
  if (texts.length === 0) return charts;
  return charts.map((chart, at) =>
    at > 0 ? chart : { ...chart, notes: [...(chart.notes ?? []), ...texts] },
  );
}

function figureName(name: string, at: number): string {
  return at === 0 ? name : `${name}_${at + 1}`;
}
