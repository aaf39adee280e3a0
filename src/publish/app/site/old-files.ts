import { readOverview } from '../../../dashboard/app/home/read-overview.ts';
import { autoName, autoV2Text } from '../../../formats/core/garage/auto-v2.ts';
import { type ProgressCurve, progressV1Text } from '../../../formats/core/garage/progress-v1.ts';
import { resultsV0Text } from '../../../formats/core/garage/results-v0.ts';
import { isDetail, readSeries, type SeriesView } from '../../../judge/app/series/series-values.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-map.ts';
import type { SiteEffects, SiteSource } from './site-files.ts';

const FOLDER = 'resources';
const MOST_EXPERIMENTS = 10_000;

/** The site, and below resources/ the files of older benchmark pages: results.json, progress.json, auto/*.json. */
export function withOldFiles(source: SiteSource): SiteSource {
  return async function* (request, effects) {
    const pictures: string[] = [];
    for await (const file of source(request, effects)) {
      const isPicture = /^artifacts\/.*\.png$/.test(file.path);
      if (isPicture) pictures.push(file.path);
      // Old pages know pictures by their paths.
      yield isPicture ? { ...file, isNamed: true } : file;
    }
    yield* oldFiles(request.home, pictures, effects);
  };
}

async function* oldFiles(home: string, pictures: readonly string[], effects: SiteEffects): SiteFiles {
  const { last, experiments } = await readOverview({ home, experimentLimit: MOST_EXPERIMENTS }, effects);
  // Without a night there is nothing to write; existing files carry their own dates.
  if (!last) return;
  const at = last.run.endedAt ?? last.run.startedAt;
  const commit = Object.values(experiments[0]?.trial.commits ?? {})[0] ?? '';
  const curves: ProgressCurve[] = [];
  const autos: SiteFile[] = [];
  for (const { name, trial } of experiments) {
    const values = { name, series: await seriesOf(name, effects), commits: trial.commits };
    curves.push(...curvesOf(values));
    autos.push(...autosOf(values, effects));
  }
  const time = new Date(at).toISOString();
  const branch = commit === '' ? last.run.label : commit;
  yield textFile(`${FOLDER}/results.json`, resultsV0Text({ time, branch, graphs: pictures }), effects);
  const progress = progressV1Text(curves, { commit, at });
  if (progress !== undefined) yield textFile(`${FOLDER}/progress.json`, progress, effects);
  yield* withOwnNames(autos);
}

interface ExperimentValues {
  readonly name: string;
  readonly series: readonly SeriesView[];
  readonly commits: Readonly<Record<string, string>>;
}

/** As many as an old page could show. */
const MOST_SERIES = 50;
const SERIES_READ = 10_000;
const NIGHTS = 1_000;

async function seriesOf(experiment: string, { store }: SiteEffects): Promise<readonly SeriesView[]> {
  const all = await store.series({ experiment, limit: SERIES_READ });
  const found: SeriesView[] = [];
  for (const one of all.filter((series) => !isDetail(series)).slice(0, MOST_SERIES))
    found.push(await readSeries(store, one, NIGHTS));
  return found;
}

/** A night is a step: what the old pages drew over training steps is here drawn over nights. */
function curvesOf({ name, series }: ExperimentValues): readonly ProgressCurve[] {
  return series.map(({ path, values }) => ({
    algorithm: path.join('.'),
    task: name,
    trial: 'trail_1',
    side: 'garage',
    steps: values.map((_, night) => night + 1),
    returns: values,
  }));
}

function autosOf({ name, series, commits }: ExperimentValues, effects: SiteEffects): readonly SiteFile[] {
  const commit = Object.values(commits)[0];
  return series.map(({ path, unit, values }) => {
    const x = values.map((_, night) => night + 1);
    const labels = { xLabel: 'Night', yLabel: unit === '' ? path.join('.') : `${path.join('.')} [${unit}]` };
    const text = autoV2Text({
      x,
      y: values,
      yMin: values,
      yMax: values,
      ...labels,
      ...(commit !== undefined && { commit }),
    });
    return textFile(`${FOLDER}/auto/${autoName(name, path.join('-'))}`, text, effects);
  });
}

/** Two series whose names differ in what a file name cannot have get a number. */
function withOwnNames(files: readonly SiteFile[]): readonly SiteFile[] {
  const counts = new Map<string, number>();
  return files.map((file) => {
    const count = (counts.get(file.path) ?? 0) + 1;
    counts.set(file.path, count);
    return count === 1 ? file : { ...file, path: file.path.replace(/\.json$/, `-${count}.json`) };
  });
}

/** Old pages know these files by their paths. */
function textFile(path: string, text: string, { encode }: SiteEffects): SiteFile {
  return {
    path,
    isNamed: true,
    async *bytes() {
      yield encode(text);
    },
  };
}
