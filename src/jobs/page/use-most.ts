import { useParameter } from '../../platform/page/router/address.ts';

/** How many jobs are shown at once, in the address, and how to see more of them. */
export function useMost(atOnce: number): readonly [number, () => void] {
  const [text, setText] = useParameter('most');
  const most = Math.max(atOnce, Math.floor(Number(text)) || 0);
  return [most, () => setText(String(most + atOnce))];
}
