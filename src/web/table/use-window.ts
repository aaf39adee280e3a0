import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** The rows that are in sight of a scrolling element, and the room of those above and below them. */
export interface RowWindow {
  readonly items: readonly VirtualItem[];
  readonly above: number;
  readonly below: number;
  scrollTo(index: number): void;
}

export function useWindow(
  scroller: RefObject<HTMLElement>,
  { count, rowHeight }: { readonly count: number; readonly rowHeight: number },
): RowWindow {
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  const items = virtual.getVirtualItems();
  return {
    items,
    above: items[0]?.start ?? 0,
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}
