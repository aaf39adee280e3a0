import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_METRICS = new Set(['detailed', 'timestamp', 'tvm_hash', 'start_time', 'end_time', 'time_delta']);

/** All nights of an experiment, oldest first: { label, time, metrics: {metric: {case: value}} }. */
export function readHistory(dataDir) {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .filter((file) => /^data_.*\.json$/.test(file))
    .map((file) => toNight(JSON.parse(readFileSync(join(dataDir, file), 'utf8'))))
    .sort((a, b) => a.time - b.time);
}

function toNight(data) {
  const metrics = Object.entries(data).filter(([key, value]) => !NOT_METRICS.has(key) && isTree(value));
  return { label: data.timestamp, time: timeOf(data.timestamp), metrics: Object.fromEntries(metrics) };
}

function isTree(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((leaf) => typeof leaf === 'number');
}

/** A night is named month-day-year-hourminute, which does not sort by itself. */
function timeOf(label) {
  const [month, day, year, clock] = label.split('-');
  return Date.UTC(year, month - 1, day, clock.slice(0, 2), clock.slice(2, 4));
}
