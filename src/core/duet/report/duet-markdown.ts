import type { DuetAnalysis, GroupAnalysis } from '../../model/duet-analysis.ts';
import type { ReportFacts } from './duet-report.ts';
import { groupNamer } from './group-names.ts';
import { orderGroups } from './order-groups.ts';
import { effectWords, headline, percent, verdictWords } from './words.ts';

/** A summary fit for a pull request: verdict first, what changed in a table, the rest folded. */
export function duetMarkdown(analysis: DuetAnalysis, facts: ReportFacts): string {
  const groups = orderGroups(analysis.groups);
  const name = groupNamer(groups);
  const news = groups.filter(({ judgement: { verdict } }) => verdict === 'slower' || verdict === 'faster');
  const rest = groups.filter((group) => !news.includes(group));
  return [
    `### ${headline(groups, analysis.options.minEffect)}`,
    ...(news.length > 0 ? [table(news, name)] : []),
    ...(rest.length > 0
      ? [`<details><summary>${rest.length} without a change</summary>\n\n${table(rest, name)}\n\n</details>`]
      : []),
    ...analysis.notes.map((note) => `- ${inline(note)}`),
    `${facts.machine === undefined ? '' : `${inline(facts.machine)}. `}${percent(analysis.options.level)} intervals of the ratio B / A. Read: ${facts.sources.map(inline).join(', ')}.`,
    `Again: \`${facts.command.replaceAll('`', "'").replaceAll('\n', ' ')}\``,
  ]
    .join('\n\n')
    .concat('\n');
}

function table(groups: readonly GroupAnalysis[], name: (group: GroupAnalysis) => string): string {
  const rows = groups.map((group) => {
    const { judgement, counts } = group;
    const effect = judgement.effect ? effectWords(judgement.effect) : '';
    return `| ${inline(name(group))} | ${verdictWords(judgement)} | ${effect} | ${judgement.runs} | ${counts.pairs} |`;
  });
  return ['| benchmark | B is | B / A | runs | pairs |', '|---|---|---|--:|--:|', ...rows].join('\n');
}

/** Text that cannot leave its place: no markup, no table borders, one line. */
function inline(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\\`*_{}[\]|#~!]/g, (character) => `\\${character}`)
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
