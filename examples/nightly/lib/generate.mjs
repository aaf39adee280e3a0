/** Numbers that look random and are the same every night (a linear congruential generator). */
export function numbers(count, seed = 1) {
  const values = new Float64Array(count);
  let state = seed >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 2 ** 32;
  }
  return values;
}

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const FOLDERS = ['users', 'orders', 'static/images', 'static/fonts', 'search', 'api/v2/report'];
const AGENTS = ['Firefox/143.0', 'Chrome/141.0', 'Safari/19.0', 'curl/8.16.0'];

/** A web server's log: repetitive as real ones are, the same every night. */
export function logText(lineCount) {
  const random = numbers(lineCount * 6, 7);
  const pick = (list, at) => list[Math.floor((random[at] ?? 0) * list.length)];
  const whole = (at, limit) => Math.floor((random[at] ?? 0) * limit);
  return Array.from({ length: lineCount }, (_, line) => {
    const at = line * 6;
    const second = String(line % 60).padStart(2, '0');
    const path = `/${pick(FOLDERS, at + 1)}/${whole(at + 2, 9000)}`;
    const status = [200, 200, 200, 304, 404, 500][whole(at + 3, 6)];
    return `10.0.${whole(at, 256)}.17 [05/Sep/2026:02:00:${second}] "${pick(METHODS, at)} ${path}" ${status} ${whole(at + 4, 90000)} "${pick(AGENTS, at + 5)}"`;
  }).join('\n');
}
