import type { PlotPart } from '../../../charts/core/chart.ts';
import type { SourceChange } from '../../../judge/core/explain/explanation.ts';
import { commitDay, commitsLeftOut, sourceText } from '../../../judge/core/explain/explanation-text.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { sentence, table } from '../../core/report/report-document.ts';

/** The commits between both sides of each source. */
export function sourceParts(sources: readonly SourceChange[]): readonly PlotPart[] {
  return sources.flatMap((source): readonly PlotPart[] => {
    const { between } = source;
    if (!between) return [sentence(`${sourceText(source)}.`)];
    const left = commitsLeftOut(source);
    const link = between.link;
    return [
      table({
        title: sourceText(source),
        columns: ['commit', 'day', 'author', 'subject'],
        rows: between.commits.map((commit) => [
          { text: commit.hash.slice(0, 12), ...(commit.link !== undefined && { link: commit.link }) },
          commitDay(commit.at),
          commit.author,
          commit.subject,
        ]),
        notes: left > 0 ? [`and ${counted(left, 'more commit')}`] : [],
      }),
      ...(link === undefined
        ? []
        : [{ type: 'links', links: [{ text: 'All of them', url: link }] } as const]),
    ];
  });
}
