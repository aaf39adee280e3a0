import type { ComponentChildren } from 'preact';

/** What may be wider than the window scrolls by itself, also by keyboard. */
export function Wide({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
