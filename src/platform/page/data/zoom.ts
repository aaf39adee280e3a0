import { useParameter } from '../router/use-address.ts';

/** The stretch of x that a chart shows, in the address: "1700000000..1700086400". */
export function useZoom(
  name = 'zoom',
): readonly [readonly [number, number] | undefined, (zoom: readonly [number, number] | undefined) => void] {
  const [text, setText] = useParameter(name);
  return [readZoom(text), (zoom) => setText(zoom && `${zoom[0]}..${zoom[1]}`)];
}

export function readZoom(text: string | undefined): readonly [number, number] | undefined {
  const [from, to] = (text ?? '').split('..').map(Number);
  const isRange =
    from !== undefined && to !== undefined && Number.isFinite(from) && Number.isFinite(to) && from < to;
  return isRange ? [from, to] : undefined;
}
