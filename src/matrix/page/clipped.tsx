/** A name that may be of any length, in a place that is not. */
export function Clipped({ text }: { readonly text: string }) {
  return (
    <span class="clipped" title={text}>
      {text}
    </span>
  );
}
