import { Quantity } from '../../platform/page/parts/display.tsx';

/** Stands out when it is not zero; the head of its column says what it is. */
export function BadCount({ value }: { readonly value: number }) {
  if (value === 0) return <>0</>;
  return (
    <strong class="change worse">
      <Quantity value={value} />
    </strong>
  );
}
