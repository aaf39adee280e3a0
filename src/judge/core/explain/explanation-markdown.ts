import { codeSpan, plainMarkdown, tableCell } from '../../../platform/core/text/markdown.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { causeRows, leftOutText } from './cause-rows.ts';
import { commitDay, commitsLeftOut, restLines } from './describe-explanation.ts';
import type { ExplainedCommit, Explanation, SourceChange } from './explanation.ts';
import { sourceText } from './explanation-sentence.ts';
import { shortText } from './fact-text.ts';

/** For a report or a comment: nothing in it that others wrote is markup, a mention or a link of theirs. */
export function explanationMarkdown(explanation: Explanation): string {
  const { sentence, causes, sources, notes } = explanation;
  const rows = causeRows(causes).map(
    ({ rank, name, before, after, fit }) =>
      `| ${rank} | ${cell(name)} | ${cell(before)} | ${cell(after)} | ${fit} |`,
  );
  const left = leftOutText(causes);
  const blocks = [
    `**${plainMarkdown(sentence)}**`,
    ...(rows.length === 0
      ? []
      : [['| | what | before | after | fit |', '|--:|---|---|---|---|', ...rows].join('\n')]),
    ...(left === undefined ? [] : [`${left}.`]),
    ...sources.flatMap(sourceBlock),
    [...restLines(explanation), ...notes.map((note) => plainMarkdown(visible(note)))].join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function sourceBlock(source: SourceChange): readonly string[] {
  const { between } = source;
  if (between === undefined) return [];
  const left = commitsLeftOut(source);
  const title = plainMarkdown(sourceText(source));
  return [
    `${between.link === undefined ? title : `[${title}](<${between.link}>)`}:`,
    [...between.commits.map(commitItem), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n'),
  ];
}

function commitItem({ hash, subject, author, at, link }: ExplainedCommit): string {
  const short = codeSpan(hash.slice(0, 12));
  const linked = link === undefined ? short : `[${short}](<${link}>)`;
  const words = `${plainMarkdown(shortText(subject))} (${plainMarkdown(shortText(author, 24))}, ${commitDay(at)})`;
  return `- ${linked} ${words}`;
}

function cell(text: string): string {
  return tableCell(codeSpan(text));
}
