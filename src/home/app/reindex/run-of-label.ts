import { parseNightLabel } from '../../../platform/core/text/times.ts';
import type { LabelledRun, Progress, ReindexEffects } from './progress.ts';

interface RunOfLabel extends LabelledRun {
  readonly state: 'journalled' | 'imported';
  readonly label: string;
}

/** The run that a label in a file name belongs to: one with a journal, else one that is made up from the label alone. */
export function runOfLabel(label: string, { labels }: Progress, { clock }: ReindexEffects): RunOfLabel {
  const journalled = labels.get(label);
  if (journalled) return { state: 'journalled', label, ...journalled };
  const wall = parseNightLabel(label);
  if (!wall) throw new Error(`"${label}" is no label of a night (month-day-year-hourminute).`);
  const startedAt = clock.fromWall(wall);
  const found = clock.wall(startedAt);
  if (found.year !== wall.year || found.month !== wall.month || found.day !== wall.day) {
    throw new Error(`"${label}" names a day that does not exist.`);
  }
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${wall.year}${two(wall.month)}${two(wall.day)}`;
  // "-2" of a second night in one minute goes along, so that each label has its own run.
  const second = /^\d\d-\d\d-\d{4}-\d{4}(-\d+)$/.exec(label)?.[1] ?? '';
  return {
    state: 'imported',
    label,
    id: `${date}-${two(wall.hour)}${two(wall.minute)}00-data${second}`,
    startedAt,
  };
}
