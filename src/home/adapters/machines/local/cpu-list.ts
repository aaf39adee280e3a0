/** "0-3,8" -> 0, 1, 2, 3, 8; empty for anything else. */
export function parseCpuList(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .flatMap((part) => {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
      const length = Number(last) - Number(first) + 1;
      return length > 0 && length <= MOST_CPUS
        ? Array.from({ length }, (_, index) => Number(first) + index)
        : [];
    });
}

/** The most that Linux can be built for. */
const MOST_CPUS = 8192;
