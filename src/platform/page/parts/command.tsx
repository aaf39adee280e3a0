import { useState } from 'preact/hooks';

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
