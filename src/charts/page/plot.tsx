import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { onThemeChange } from './colours.ts';

export type PlotOptions = Omit<UPlot.Options, 'width' | 'height'>;

interface PlotProps {
  /** For people who hear the page: what is drawn, in a sentence. */
  readonly label: string;
  readonly height: number;
  readonly data: UPlot.AlignedData;
  /** Made anew with every theme: colours are read then. Keep the function the same while nothing but data changes. */
  readonly options: () => PlotOptions;
  /** From and to of x that are shown; undefined: everything. */
  readonly zoom?: readonly [number, number] | undefined;
}

/** A uPlot chart as wide as its place. New data is put into the chart that is there; new options make a new one. */
export function Plot({ label, height, data, options, zoom }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>();
  const latest = useRef(data);
  latest.current = data;
  const shown = useRef(zoom);
  shown.current = zoom;
  // Before the place is painted empty.
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const draw = () => {
      plot.current?.destroy();
      const size = { width: Math.max(120, element.clientWidth), height };
      plot.current = new UPlot({ ...options(), ...size }, latest.current, element);
      setZoom(plot.current, shown.current);
    };
    draw();
    const resize = new ResizeObserver(() => {
      const width = Math.max(120, element.clientWidth);
      if (plot.current && plot.current.width !== width) plot.current.setSize({ width, height });
    });
    resize.observe(element);
    const stop = onThemeChange(draw);
    return () => {
      stop();
      resize.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [options, height]);
  useEffect(() => {
    if (plot.current && plot.current.data !== data) {
      plot.current.setData(data, false);
      setZoom(plot.current, zoom);
    }
  }, [data]);
  useEffect(() => {
    if (plot.current) setZoom(plot.current, zoom);
  }, [zoom?.[0], zoom?.[1]]);
  return <div class="plot" ref={place} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}

function setZoom(plot: UPlot, zoom: readonly [number, number] | undefined): void {
  const x = plot.data[0];
  const [min, max] = zoom ?? [x[0], x[x.length - 1]];
  plot.batch(() => {
    // Series of one value need a range all the same.
    const range =
      min === max && min !== undefined ? { min: min - 1, max: min + 1 } : { min: min ?? 0, max: max ?? 1 };
    plot.setScale('x', range);
  });
}
