import { useEffect, useState } from 'preact/hooks';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { setParameters } from '../../../platform/page/router/address.ts';
import type { JobSeriesDocument } from '../../core/job-documents.ts';
import { propertyLabel } from './curve-properties.ts';
import { BAND_TEXTS, BANDS } from './mean-curves.ts';
import { Pick, PickMany, RangeField } from './pick.tsx';
import { measuresOf, stepsOf, TIME_AXES, tagsOf } from './read-curves.ts';
import { readStateJson, type SeriesState, stateJson, stateParameters } from './series-state.ts';

interface ControlsProps {
  readonly document: JobSeriesDocument;
  readonly state: SeriesState;
  /** What is drawn where nothing was chosen. */
  readonly usual: {
    readonly measurement: readonly string[];
    readonly x: string;
    readonly hue: string;
    readonly pattern: string;
  };
  readonly varying: readonly string[];
}

/** Every choice is a parameter of the address. */
export function SeriesControls({ document, state, usual, varying }: ControlsProps) {
  const set = (change: Partial<SeriesState>) => setParameters(stateParameters({ ...state, ...change }));
  const properties = propertyOptions(varying, state);
  const one = (name: 'columns' | 'rows', label: string) => (
    <Pick
      label={label}
      value={state[name] ?? ''}
      options={[['', 'none'], ...properties]}
      onPick={(value) => set({ [name]: value })}
    />
  );
  // The default is not stored: it follows the curves.
  const look = (name: 'hue' | 'pattern') => (
    <Pick
      label={name}
      value={state[name] ?? usual[name]}
      options={[['none', 'none'], ...withUsual(properties, usual[name])]}
      onPick={(value) => set({ [name]: value === usual[name] ? '' : value })}
    />
  );
  return (
    <>
      <div class="controls series-controls">
        <PickMany
          label="measurement"
          values={state.measurement.length > 0 ? state.measurement : usual.measurement}
          options={measuresOf(document).map(({ name }) => [name, name])}
          none="none"
          onPick={(measurement) => set({ measurement })}
        />
        <PickMany
          label="tags"
          values={state.tags}
          options={tagsOf(document).map((pair) => [pair, pair])}
          none="all"
          onPick={(tags) => set({ tags })}
        />
        {one('columns', 'columns')}
        {one('rows', 'rows')}
        {look('hue')}
        {look('pattern')}
        <PickMany
          label="mean over"
          values={state.over}
          options={properties}
          none="nothing"
          onPick={(over) => set({ over })}
        />
        {state.over.length > 0 && (
          <Pick
            label="band"
            value={state.band}
            options={BANDS.map((band) => [band, BAND_TEXTS[band]])}
            onPick={(band) => set({ band: band as SeriesState['band'] })}
          />
        )}
        <Pick
          label="x"
          value={state.x ?? usual.x}
          options={[
            ...stepsOf(document).map((step) => [step, step] as const),
            ...TIME_AXES.map((axis) => [axis, axis === 'time' ? 'time' : 'time since the start'] as const),
          ]}
          onPick={(x) =>
            setParameters({ ...stateParameters({ ...state, x }), xrange: undefined, at: undefined })
          }
        />
        <RangeField
          label="x from, to"
          value={state.xRange}
          onRange={(xRange) => set({ xRange } as Partial<SeriesState>)}
        />
        <RangeField
          label="y from, to"
          value={state.yRange}
          onRange={(yRange) => set({ yRange } as Partial<SeriesState>)}
        />
        <Slider
          label="smoothing"
          value={state.smooth}
          most={0.99}
          step={0.01}
          onSlide={(smooth) => set({ smooth })}
        />
        <Slider
          label="opacity"
          value={state.opacity}
          least={5}
          most={100}
          step={5}
          onSlide={(opacity) => set({ opacity })}
        />
        <div class="chips">
          <button
            type="button"
            class="chip"
            aria-pressed={state.isLogX}
            onClick={() => set({ isLogX: !state.isLogX })}
          >
            log x
          </button>
          <button
            type="button"
            class="chip"
            aria-pressed={state.isLogY}
            onClick={() => set({ isLogY: !state.isLogY })}
          >
            log y
          </button>
        </div>
      </div>
      <StateJson state={state} />
    </>
  );
}

type Options = readonly (readonly [string, string])[];

function withUsual(options: Options, usual: string): Options {
  const isThere = usual === 'none' || options.some(([name]) => name === usual);
  return isThere ? options : [[usual, propertyLabel(usual)], ...options];
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly least?: number;
  readonly most: number;
  readonly step: number;
  readonly onSlide: (value: number) => void;
}

function Slider({ label, value, least = 0, most, step, onSlide }: SliderProps) {
  return (
    <label>
      {label} {value}
      <input
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        onInput={(event) => onSlide(Number(event.currentTarget.value))}
      />
    </label>
  );
}

/** Those that vary, and those that are in use though they vary no more: they can be taken back. */
function propertyOptions(
  varying: readonly string[],
  { columns, rows, hue, pattern, over }: SeriesState,
): readonly (readonly [string, string])[] {
  const used = [columns, rows, hue, pattern, ...over].filter(
    (one): one is string => one !== undefined && one !== 'none',
  );
  const names = [...new Set([...varying, ...used])];
  const labels = names.map(propertyLabel);
  return names.map((name, at) => {
    const label = labels[at] ?? name;
    return [name, labels.indexOf(label) === labels.lastIndexOf(label) ? label : name];
  });
}

/** All choices as JSON: copied here, pasted anywhere on a page with charts. */
function StateJson({ state }: { readonly state: SeriesState }) {
  const [message, setMessage] = useState('');
  const take = (text: string) => {
    const next = readStateJson(text);
    if (next) setParameters(stateParameters(next));
    setMessage(next ? 'taken over' : 'Not a state of charts: copy one first.');
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const isWriting = event.target instanceof Element && event.target.closest('input, textarea');
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isWriting && text.trimStart().startsWith('{')) take(text);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
  const copy = async () => {
    await navigator.clipboard.writeText(stateJson(state));
    setMessage('copied; Ctrl-V on this page takes it over');
  };
  return (
    <Fold name="state" class="state-json" summary="State of the charts as JSON">
      <textarea
        aria-label="State of the charts as JSON"
        rows={2}
        value={stateJson(state)}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {'clipboard' in navigator && (
        <button type="button" class="small" onClick={copy}>
          copy
        </button>
      )}{' '}
      <span role="status" class="quiet">
        {message}
      </span>
    </Fold>
  );
}
