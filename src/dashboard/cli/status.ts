import { existsSync } from 'node:fs';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { definitionMentions, homeArgument } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { nextNight } from '../../home/cli/next-night.ts';
import type { HomeMetrics } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { lockHolder } from '../../platform/adapters/file-locks.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type PublicationRecord, publicationProblem, readPublications } from '../app/publications.ts';
import { type HomeStatus, showStatus } from '../app/show-status.ts';
import { renderStatus } from './render-status.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .option('--nights <count>', 'how many nights to look back', '14')
      .option('--json', 'print everything as JSON');
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const nights = nightsOption(options);
    const status = await readStatus(home, nights, context);
    const points = await pointsOf(home, context);
    const publications = await readPublications(home, context.disk);
    if (flag(options, 'json')) {
      context.stdout.write(
        `${JSON.stringify({ ...status, ...(points && { points: points.facts }), publications })}\n`,
      );
    } else {
      context.stdout.write(renderStatus(status, context.stdout.hasColor));
      if (points) context.stdout.write(`\n${points.line}`);
      context.stdout.write(publicationLines(publications));
    }
    const next = await nextNight(home, context);
    if (next !== undefined && !flag(options, 'json')) context.stdout.write(next);
    const isEmpty = !status.last && !status.imports && !status.kpis;
    if (isEmpty) context.stderr.write(`Run one: nightmark run ${given ?? '.'}\n`);
    return EXIT.fine;
  },
};

export default command;

function nightsOption(options: Options): number {
  const text = textOption(options, 'nights') ?? '14';
  const nights = Number(text);
  if (/^\d+$/.test(text) && nights <= 10_000) return nights;
  throw new NightmarkError('CLI_NIGHTS', `--nights takes a whole number from 0 to 10000, not "${text}".`, {
    hint: 'For example: nightmark status --nights 30',
  });
}

/** When the pages were last published to each target, or why not. */
function publicationLines(publications: readonly PublicationRecord[]): string {
  const lines = publications.map((one) => {
    const problem = publicationProblem(one);
    const day = new Date(one.at).toISOString().slice(0, 16).replace('T', ' ');
    return visible(problem === '' ? `Published to ${one.target} ${day} UTC.` : problem);
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** What reads points is large; a home that has none need not wait for it. */
async function pointsOf(home: string, context: CliContext) {
  const store = await pointStore(home, context);
  if (store === 'sqlite' && !existsSync(homeLayout(home).points)) return undefined;
  const { pointsLine, readPointsStatus } = await import('./points-status.ts');
  const facts = await readPointsStatus(home, store, context);
  return facts && { facts, line: pointsLine(facts) };
}

/** A definition that cannot be read is reported elsewhere. */
async function pointStore(home: string, context: CliContext): Promise<HomeMetrics['store']> {
  if (!(await definitionMentions(home, 'postgres', context))) return 'sqlite';
  const { inspectHome } = await import('../../home/config/read-home.ts');
  const inspection = await inspectHome(home, {}, context);
  return (inspection.state === 'usable' && inspection.reading.home.metrics?.store) || 'sqlite';
}

async function readStatus(home: string, nights: number, context: CliContext): Promise<HomeStatus> {
  const { index, lock } = homeLayout(home);
  if (!(await ensureIndex(home, context))) return { home, runs: 0, nights: [] };
  const store = await openSqliteStore(index, { readOnly: true });
  try {
    const isHeld = lockHolder(lock) !== undefined;
    return await showStatus({ home, nights, isHeld }, { store, clock: context.clock });
  } finally {
    store.close();
  }
}
