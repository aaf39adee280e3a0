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

interface WindowOptions {
  readonly count: number;
  readonly heightOf: (index: number) => number;
  /** Another text where heights have changed. */
  readonly layout: string;
}

export function useWindow(
  scroller: RefObject<HTMLElement>,
  { count, heightOf, layout }: WindowOptions,
): RowWindow {
  const [, redraw] = useReducer((round: number) => round + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
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
  useLayoutEffect(() => virtual.measure(), [layout]);
  const items = virtual.getVirtualItems();
  return {
    items,
    above: items[0]?.start ?? 0,
    below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}
