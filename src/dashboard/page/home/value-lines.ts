import type { HomeExperiment, HomeRow, HomeView } from '../../app/home/home-view.ts';

/** A row of the table: a value, or an experiment that has none. */
export interface ValueLine {
  readonly key: string;
  readonly experiment: HomeExperiment;
  readonly row?: HomeRow;
  /** Place among the rows of the view: its values are fetched by it. */
  readonly place?: number;
  /** First and last line of its experiment. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Lines whose experiment, title or path has all the words that are looked for. */
export function valueLines(
  view: HomeView,
  filter: string,
): { readonly shown: readonly ValueLine[]; readonly all: number } {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown: ValueLine[] = [];
  let all = 0;
  let place = 0;
  for (const [index, experiment] of view.experiments.entries()) {
    const rows: { row?: HomeRow; place?: number; text: string }[] = [];
    const name = `${experiment.name} ${experiment.title ?? ''}`.toLowerCase();
    while (view.rows[place]?.experiment === index) {
      const row = view.rows[place];
      if (row) rows.push({ row, place, text: `${name} ${row.path.join(' ').toLowerCase()}` });
      place++;
    }
    if (rows.length === 0) rows.push({ text: name });
    all += rows.length;
    const matching = rows.filter(({ text }) => words.every((word) => text.includes(word)));
    for (const [number, { text: _text, ...line }] of matching.entries()) {
      const [isFirst, isLast] = [number === 0, number === matching.length - 1];
      shown.push({ key: `${experiment.name} ${line.row?.id ?? ''}`, experiment, ...line, isFirst, isLast });
    }
  }
  return { shown, all };
}
