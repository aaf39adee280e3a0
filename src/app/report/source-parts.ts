import { commitDay, commitsLeftOut } from '../../core/explain/describe-explanation.ts';
import type { SourceChange } from '../../core/explain/explanation.ts';
import { sourceText } from '../../core/explain/explanation-sentence.ts';
import type { PlotPart } from '../../core/model/chart.ts';
import { sentence, table } from '../../core/report/report-document.ts';
import { counted } from '../../core/text/numbers.ts';

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
