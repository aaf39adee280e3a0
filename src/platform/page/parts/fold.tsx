import type { ComponentChildren } from 'preact';
import { currentAddress } from '../router/address.ts';
import { setParameters, useParameters } from '../router/use-address.ts';

interface FoldProps {
  /** In the address where the reader has turned it; unique on the page. */
  readonly name: string;
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** Open until somebody closes it. */
  readonly isOpenFirst?: boolean;
  /** A function is called only while it is open. */
  readonly children: ComponentChildren | (() => ComponentChildren);
}

/** A part of the page that opens and closes; a reload and a copied link show it as it was. */
export function Fold({ name, summary, class: look = '', isOpenFirst = false, children }: FoldProps) {
  const turned = useParameters('open');
  const isOpen = turned.includes(name) !== isOpenFirst;
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) => {
    // The event comes later than the click: what is in the address by now counts.
    const others = currentAddress()
      .query.getAll('open')
      .filter((one) => one !== name);
    if (open !== isOpen) setParameters({ open: open === isOpenFirst ? others : [...others, name] });
  };
  return (
    <details class={look} open={isOpen} onToggle={onToggle}>
      <summary>{summary}</summary>
      {typeof children === 'function' ? isOpen && children() : children}
    </details>
  );
}
