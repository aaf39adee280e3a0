import { useState } from 'preact/hooks';

/** More is not shown: the address itself has all of it. */
const MOST_SHOWN = 4_000;

interface Answered {
  readonly status: string;
  readonly text: string;
  readonly length: number;
}

/** Asks, and shows the beginning of the answer. */
export function TryIt({ address }: { readonly address: string }) {
  const [answered, setAnswered] = useState<Answered>();
  const isWhole = !address.includes('{');
  const ask = async () => {
    const began = performance.now();
    try {
      const response = await fetch(address, { headers: { accept: 'application/json' } });
      const text = await response.text();
      const took = Math.round(performance.now() - began);
      const status = `${response.status} ${response.headers.get('content-type') ?? ''}, ${took} ms`;
      setAnswered({ status, text: readable(text).slice(0, MOST_SHOWN), length: text.length });
    } catch (error) {
      setAnswered({ status: `no answer: ${String(error)}`, text: '', length: 0 });
    }
  };
  return (
    <div class="api-try">
      <p>
        <button type="button" disabled={!isWhole} onClick={ask}>
          Try it
        </button>{' '}
        {isWhole ? <a href={address}>{address}</a> : <span class="quiet">fill in the path first</span>}
      </p>
      {answered && (
        <>
          <p role="status">
            {answered.status}, {answered.length} characters
            {answered.length > MOST_SHOWN && `, of which the first ${MOST_SHOWN} are shown`}
          </p>
          {answered.text !== '' && <pre tabIndex={0}>{answered.text}</pre>}
        </>
      )}
    </div>
  );
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
