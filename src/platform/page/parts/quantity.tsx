import { exactNumber, formatNumber } from '../../core/text/numbers.ts';

/** A number as people read it; hovering shows the exact value, and so does copying it. */
export function Quantity({ value, unit = '' }: { readonly value: number; readonly unit?: string }) {
  const exact = exactNumber(value, unit);
  const copy = (event: ClipboardEvent) => {
    if (String(getSelection()).trim() !== formatNumber(value, unit)) return;
    event.clipboardData?.setData('text/plain', exact);
    event.preventDefault();
  };
  return (
    <data value={String(value)} title={exact} onCopy={copy}>
      {formatNumber(value, unit)}
    </data>
  );
}
