import type { PlannedTest } from '../../home/core/matrix-definition.ts';
import { templateText } from '../../home/core/sweep/fill-template.ts';

/** The settings of a test as environment variables: "@seed" and "batch-size" are SEED and BATCH_SIZE there. */
export function settingVariables({ settings, texts }: PlannedTest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `NIGHTMARK_SETTING_${key.replace(/^@/, '').toUpperCase().replace(/\W/g, '_')}`,
      texts[key] ?? templateText(value, 'native'),
    ]),
  );
}
