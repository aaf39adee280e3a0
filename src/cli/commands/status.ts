import { lockHolder } from '../../adapters/locks/sqlite/index.ts';
import openSqliteStore from '../../adapters/stores/sqlite/index.ts';
import { type HomeStatus, showStatus } from '../../app/show-status.ts';
import { NightmarkError } from '../../core/errors.ts';
import { homeLayout } from '../../core/model/layout.ts';
import type { Store } from '../../core/ports/store.ts';
import { type CommandModule, EXIT, flag, type Options, textOption } from '../command.ts';
import type { CliContext } from '../context.ts';
import { homeArgument } from '../home-argument.ts';
import { renderStatus } from '../status/render-status.ts';

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
    if (flag(options, 'json')) context.stdout.write(`${JSON.stringify(status)}\n`);
    else context.stdout.write(renderStatus(status, context.stdout.hasColor));
    if (status.last === undefined) context.stderr.write(`Run one: nightmark run ${given ?? '.'}\n`);
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

async function readStatus(home: string, nights: number, context: CliContext): Promise<HomeStatus> {
  const store = await openIndex(home, context);
  if (!store) return { home, runs: 0, nights: [] };
  try {
    const isHeld = lockHolder(homeLayout(home).lock) !== undefined;
    return await showStatus({ home, nights, isHeld }, { store, clock: context.clock });
  } finally {
    store.close();
  }
}

/** A home with results but without an index (a copied one, an old dashboard) gets one; an empty home has none. */
async function openIndex(home: string, context: CliContext): Promise<Store | undefined> {
  const { index, runs, data } = homeLayout(home);
  const { disk, stderr } = context;
  const existing = (await disk.stat(index)) && (await openUnlessOutdated(index));
  if (existing) return existing;
  const hasResults = (await disk.list(runs)).length > 0 || (await disk.list(data(''))).length > 0;
  if (!hasResults) return undefined;
  stderr.write('This home has no index yet: building it from its files ...\n');
  const { rebuildIndex } = await import('../rebuild-index.ts');
  const { failed } = await rebuildIndex(home, context);
  if (failed > 0) stderr.write(`${failed} files could not be used: nightmark reindex names them.\n`);
  return openSqliteStore(index, { readOnly: true });
}

async function openUnlessOutdated(index: string): Promise<Store | undefined> {
  try {
    return await openSqliteStore(index, { readOnly: true });
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'STORE_OUTDATED') return undefined;
    throw error;
  }
}
