import { useEffect, useState } from 'preact/hooks';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { setParameters } from '../../../platform/page/router/address.ts';
import { readStateJson, type SeriesState, stateJson, stateParameters } from './series-state.ts';

/** All choices as JSON: copied here, pasted anywhere on a page with charts. */
export function StateJson({ state }: { readonly state: SeriesState }) {
  const [said, setSaid] = useState('');
  const take = (text: string) => {
    const next = readStateJson(text);
    if (next) setParameters(stateParameters(next));
    setSaid(next ? 'taken over' : 'This is no state of charts: copy one first.');
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
    setSaid('copied; Ctrl-V on this page takes it over');
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
        {said}
      </span>
    </Fold>
  );
}
