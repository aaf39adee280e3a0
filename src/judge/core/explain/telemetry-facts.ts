import type { PointColumns } from '../../../formats/core/sample.ts';
import type { Fact } from './explanation.ts';

/** Mean of each reading beside one experiment of one run; cores and devices of a kind count as one. */
export function telemetryFacts(columns: readonly PointColumns[], experiment: string): readonly Fact[] {
  const found = new Map<string, { readonly unit: string; sum: number; count: number }>();
  for (const { name, tags, unit, values } of columns) {
    if (tags['experiment'] !== experiment) continue;
    const key = readingName(name, tags);
    const total = found.get(key) ?? { unit, sum: 0, count: 0 };
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      total.sum += value;
      total.count++;
    }
    found.set(key, total);
  }
  return [...found]
    .filter(([, { count }]) => count > 0)
    .map(([name, { unit, sum, count }]) => ({ group: 'telemetry', name, unit, value: sum / count }));
}

/** cpu.proc-load with label 1min -> "load 1min"; cpu.proc-frequency of cpu3 -> "frequency". */
function readingName(name: string, tags: PointColumns['tags']): string {
  const group = name.replace(/^cpu\.(proc-)?/, '').replace(/^gpu\./, 'gpu ');
  const label = tags['label'] ?? '';
  return label === '' || /^(cpu|core)?\s*\d+$/i.test(label) ? group : `${group} ${label}`;
}
