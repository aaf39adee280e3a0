/** setTimeout takes at most 2^31 - 1 ms, about 24.8 days; experiments may take longer. */
export function setLongTimer(ms: number, callback: () => void): { cancel(): void } {
  const MAX = 2 ** 31 - 1;
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > MAX ? wait(left - MAX) : callback()), Math.min(left, MAX));
  };
  wait(ms);
  return { cancel: () => clearTimeout(timer) };
}
