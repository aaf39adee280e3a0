import type { ComponentChildren, JSX } from 'preact';
import { goTo, hrefOf } from './address.ts';

interface LinkProps extends Omit<JSX.HTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A place of ours: "/runs/x?y=1". */
  readonly to: string;
  readonly children?: ComponentChildren;
}

/** A link to another of our pages, which is changed to without loading anything again. */
export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    goTo(to);
  };
  return (
    <a href={hrefOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
