import {
  gatheredCsv,
  gatheredJson,
  gatheredLines,
  gatherKpis,
} from '../../formats/core/kpi/gathered-kpis.ts';
import { compatText, kpiCsv, kpiJson, kpiPoint, kpiTable } from '../../formats/core/kpi/kpi-text.ts';
import { openMetricsText } from '../../formats/core/kpi/openmetrics.ts';
import { flag, type Options, type Output, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { TestPayload } from '../app/make-payloads.ts';

const FORMATS = ['table', 'json', 'csv', 'openmetrics'] as const;
type KpiFormat = (typeof FORMATS)[number];

export function kpiFormatOf(options: Options): KpiFormat {
  const given = textOption(options, 'format') ?? (flag(options, 'json') ? 'json' : 'table');
  const format = FORMATS.find((known) => known === given);
  if (format === 'openmetrics' && flag(options, 'gather')) {
    throw new NightmarkError('CLI_INVALID_OPTION', '--gather has intervals, which OpenMetrics cannot say.', {
      hint: 'Use --format json or csv with it.',
    });
  }
  if (format) return format;
  throw new NightmarkError('CLI_INVALID_OPTION', `--format ${given} is not known.`, {
    hint: `Use one of ${FORMATS.join(', ')}.`,
  });
}

interface Wanted {
  readonly format: KpiFormat;
  readonly options: Options;
}

/** The KPIs of all tests as text; what the format cannot say is told beside. */
export function formatKpis(tests: readonly TestPayload[], { format, options }: Wanted, talk: Output): string {
  if (flag(options, 'gather')) return formatGathered(tests, format);
  const rows = tests.flatMap(({ location, values }) => values.map((value) => ({ ...value, location })));
  switch (format) {
    case 'json':
      return `${JSON.stringify(rows.map(kpiJson), null, 2)}\n`;
    case 'csv':
      return kpiCsv(rows);
    case 'table':
      return kpiTable(rows);
    case 'openmetrics': {
      if (flag(options, 'compat')) return tests.map(({ payload }) => compatText(payload)).join('');
      const { text, leftOut } = openMetricsText(rows.map(kpiPoint), {
        hasTimes: flag(options, 'timestamps'),
      });
      for (const reason of leftOut) talk.write(`not in the metrics: ${visible(reason)}\n`);
      return text;
    }
  }
}

/** One line for all repetitions of a test. */
function formatGathered(tests: readonly TestPayload[], format: KpiFormat): string {
  const kpis = gatherKpis(tests);
  if (format === 'json') return `${JSON.stringify(kpis.map(gatheredJson), null, 2)}\n`;
  return format === 'csv' ? gatheredCsv(kpis) : gatheredLines(kpis);
}
