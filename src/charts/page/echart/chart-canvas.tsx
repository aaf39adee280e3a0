import type { EChartsType } from 'echarts/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hueColour, onThemeChange, tokenColour } from '../colours.ts';
import { chartOptions, type FieldChart } from './chart-options.ts';
import type { ChartStyle } from './echart-style.ts';

interface ChartCanvasProps {
  readonly chart: FieldChart;
  readonly height: number;
  readonly hidden: ReadonlySet<number>;
}

/** A chart as wide as its place, with a tooltip for what is below the pointer. ECharts is fetched with the first one. */
export function ChartCanvas({ chart, height, hidden }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<EChartsType>();
  const redraw = useRef<() => void>(() => undefined);
  const [hover, setHover] = useState<Hover>();
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading');
  redraw.current = () => {
    const { current: element } = place;
    if (!element || !drawn.current) return;
    drawn.current.setOption(chartOptions(chart, styleNow(element.clientWidth), hidden), { notMerge: true });
    setHover(undefined);
  };
  useEffect(() => {
    let isWanted = true;
    let stop = () => undefined as undefined;
    start(() => isWanted, place.current, setHover).then(
      (made) => {
        if (made === undefined) return;
        drawn.current = made;
        redraw.current();
        setState('drawn');
        stop = keepFitting(made, place.current, () => redraw.current());
      },
      () => isWanted && setState('failed'),
    );
    return () => {
      isWanted = false;
      stop();
      drawn.current?.dispose();
      drawn.current = undefined;
    };
  }, []);
  useEffect(() => redraw.current(), [chart, hidden]);
  useEffect(() => drawn.current?.resize({ height }), [height]);
  const side = hover && hover.x > (place.current?.clientWidth ?? 0) / 2 ? 'left' : 'right';
  return (
    <div class="history">
      <div
        class="plot"
        ref={place}
        role="img"
        aria-label={`${chart.title}: ${chart.type} of ${chart.type === 'heatmap' ? chart.value.label : chart.y.label}`}
        aria-busy={state === 'loading'}
        style={{ height: `${height}px` }}
      />
      {state === 'failed' && (
        <p role="alert">The part of the page that draws charts could not be loaded: load it again.</p>
      )}
      {hover && (
        <div class={`hover tip ${side}`} style={{ '--x': `${hover.x}px`, '--y': `${hover.y}px` }}>
          {hover.text}
        </div>
      )}
    </div>
  );
}

interface Hover {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

interface PointerEvent {
  readonly data?: unknown;
  readonly event?: { readonly offsetX: number; readonly offsetY: number };
}

async function start(
  isWanted: () => boolean,
  element: HTMLElement | null,
  setHover: (hover: Hover | undefined) => void,
): Promise<EChartsType | undefined> {
  const { init } = await import('./engine.ts');
  if (!isWanted() || element === null) return undefined;
  const made = init(element, null, { renderer: 'canvas' });
  made.on('mouseover', (raised) => {
    const { data, event } = raised as PointerEvent;
    const text = (data as { readonly tip?: unknown } | null | undefined)?.tip;
    if (typeof text === 'string' && event) setHover({ x: event.offsetX, y: event.offsetY, text });
  });
  made.on('mouseout', () => setHover(undefined));
  return made;
}

/** Drawn anew in another width, and in other colours. */
function keepFitting(made: EChartsType, element: HTMLElement | null, redraw: () => void): () => undefined {
  const resize = new ResizeObserver(() => {
    if (element === null || element.clientWidth === made.getWidth()) return;
    made.resize();
    redraw();
  });
  if (element) resize.observe(element);
  const stop = onThemeChange(redraw);
  return () => {
    resize.disconnect();
    stop();
    return undefined;
  };
}

function styleNow(width: number): ChartStyle {
  return {
    text: tokenColour('--text'),
    quiet: tokenColour('--quiet'),
    rule: tokenColour('--rule'),
    back: tokenColour('--back'),
    hues: Array.from({ length: 8 }, (_, place) => hueColour(place)),
    other: tokenColour('--hue-other'),
    width,
  };
}
