import type { WireSeriesName } from '../../core/points/columns-wire.ts';
import type { StoredColumn } from '../../core/ports/point-shelf.ts';

/** What a column is called in answers. */
export function seriesName({ measurement, tags, field, type }: StoredColumn): WireSeriesName {
  return { measurement, tags: Object.fromEntries(tags), field, type };
}
