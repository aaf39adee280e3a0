import { splitPair } from '../../../judge/core/compare/side-selection.ts';
import { flag, type Options, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { ReportSubject } from '../../app/report/report-request.ts';

const FORMATS = ['html', 'markdown', 'pdf'] as const;
export type ReportFormat = (typeof FORMATS)[number];

/** What the report is about: one thing, the newest night if nothing is said. */
export function subjectOf(options: Options): ReportSubject {
  const [run, pair, id] = ['run', 'compare', 'change'].map((name) => textOption(options, name));
  const wanted: ReportSubject[] = [
    ...(run === undefined ? [] : [{ kind: 'run', run } as const]),
    ...(pair === undefined ? [] : [{ kind: 'compare', ...sidesOf(pair) } as const]),
    ...(flag(options, 'changes') ? [{ kind: 'changes' } as const] : []),
    ...(id === undefined ? [] : [{ kind: 'change', id } as const]),
  ];
  const [first = { kind: 'run', run: 'latest' }, second] = wanted;
  if (second === undefined) return first;
  throw new NightmarkError('CLI_INVALID_OPTION', 'A report is about one thing.', {
    hint: 'Say one of --run, --compare, --changes and --change; write further reports with further commands.',
  });
}

function sidesOf(pair: string): { readonly base?: string; readonly head?: string } {
  const sides = splitPair(pair);
  if (sides) return sides;
  throw new NightmarkError('CLI_INVALID_OPTION', `--compare "${pair.slice(0, 200)}" names one side only.`, {
    hint: 'Two dots stand between both: --compare latest~7..latest',
  });
}

const ENDINGS: Readonly<Record<string, ReportFormat>> = {
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  pdf: 'pdf',
};

/** The ending of the file decides unless --format does; what goes to stdout is Markdown unless told. */
export function formatOf(options: Options, output: string): ReportFormat {
  const said = textOption(options, 'format');
  if (said !== undefined) {
    const found = FORMATS.find((format) => format === said) ?? ENDINGS[said.toLowerCase()];
    if (found) return found;
    throw new NightmarkError('CLI_INVALID_OPTION', `--format "${said.slice(0, 200)}" is not known.`, {
      hint: `Say one of ${FORMATS.join(', ')}.`,
    });
  }
  if (output === '-') return 'markdown';
  const [, ending = ''] = /\.(\w+)$/.exec(output) ?? [];
  const found = Object.hasOwn(ENDINGS, ending.toLowerCase()) ? ENDINGS[ending.toLowerCase()] : undefined;
  if (found) return found;
  throw new NightmarkError('REPORT_OUTPUT', `${output} ends neither in .html nor in .md nor in .pdf.`, {
    hint: 'Name the file so, or say --format html.',
  });
}
