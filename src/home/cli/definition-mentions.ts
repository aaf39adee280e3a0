import type { CliContext } from '../../platform/cli/command.ts';
import { joinPath } from '../../platform/core/path.ts';

const DEFINITIONS = ['nightmark.yml', 'nightmark.yaml', 'config.json', 'config/config.json'];

/** Whether a word is in the definition of a home: the reader of definitions is large, and often need not be loaded. */
export async function definitionMentions(
  home: string,
  word: string,
  { disk }: Pick<CliContext, 'disk'>,
): Promise<boolean> {
  for (const file of DEFINITIONS) {
    const text = await disk.readText(joinPath(home, file));
    if (text?.includes(word)) return true;
  }
  return false;
}
