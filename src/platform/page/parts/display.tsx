import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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

/** Names and what they are. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <table class="facts">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A command to type, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span class="command-line">
      <code class="command">{text}</code>
      {'clipboard' in navigator && (
        <button type="button" class="small" onClick={copy} aria-label={`Copy "${text}"`}>
          {isCopied ? 'copied' : 'copy'}
        </button>
      )}
    </span>
  );
}

interface ImageProps {
  readonly address: string;
  readonly name: string;
}

/** A picture made by a script. A file that is not a picture gets a sentence: the icon of the browser does not show the problem. */
export function Image({ address, name }: ImageProps) {
  const [broken, setBroken] = useState<string>();
  if (broken === address)
    return <span class="quiet">This cannot be shown as a picture; a click opens the file. </span>;
  return <img src={address} alt={name} loading="lazy" onError={() => setBroken(address)} />;
}

/** Something wide, such as a table, that scrolls for itself: also by keys, and with a name for screen readers. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
