import { type BandKind, curveBand } from '../../charts/core/curves/curve-band.ts';
import type { HistorySeries } from '../../charts/page/history-data.ts';
import type { CurveLine, CurvesView } from '../app/curves-view.ts';

export const BANDS: readonly { readonly kind: BandKind; readonly title: string; readonly caption: string }[] =
  [
    {
      kind: 'interval',
      title: 'mean, 95 % interval',
      caption: "the mean over seeds; the band is its 95 % interval (Student's)",
    },
    {
      kind: 'deviation',
      title: 'mean, deviation (n − 1)',
      caption: 'the mean over seeds; the band is one sample deviation to each side (ddof 1)',
    },
    {
      kind: 'population',
      title: 'mean, deviation (n)',
      caption: 'the mean over seeds; the band is one population deviation to each side (ddof 0)',
    },
    {
      kind: 'iqm',
      title: 'interquartile mean, bootstrap',
      caption: 'the mean of the middle half of the seeds; the band is its 95 % bootstrap interval',
    },
  ];

export function bandOf(text: string | undefined): (typeof BANDS)[number] {
  return BANDS.find(({ kind }) => kind === text) ?? (BANDS[0] as (typeof BANDS)[number]); // never empty
}

/** The same colour for the same algorithm on the whole page; a baseline has that of its algorithm. */
export function algorithmHues(algorithms: CurvesView['algorithms']): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { name } of algorithms) {
    const partner = found.get(name.replace(/ \(baseline\)$/, ''));
    found.set(name, partner ?? new Set(found.values()).size);
  }
  return found;
}

/** The lines of one task: single seeds behind, then each algorithm with its band. */
export function curveSeries(
  lines: readonly CurveLine[],
  kind: BandKind,
  hue: ReadonlyMap<string, number>,
): readonly HistorySeries[] {
  const seeds = lines.flatMap(({ algorithm, seeds: all }) =>
    all.flatMap(({ seed, x, y }): HistorySeries[] => {
      if (!x || !y) return [];
      const values = y.map((value) => value ?? Number.NaN);
      return [
        {
          name: `${algorithm}, seed ${seed}`,
          times: x,
          values,
          hue: hue.get(algorithm) ?? 99,
          isFaint: true,
        },
      ];
    }),
  );
  const means = lines.map((line): HistorySeries => {
    const { centre, low, high } = curveBand(line, kind);
    const hasBand = low.some(Number.isFinite);
    return {
      ...{ name: line.algorithm, times: line.x, values: centre, hue: hue.get(line.algorithm) ?? 99 },
      ...(hasBand && { low, high }),
      ...(line.isBaseline && { isDashed: true }),
    };
  });
  return [...seeds, ...means];
}
