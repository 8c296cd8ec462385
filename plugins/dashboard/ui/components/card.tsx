import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a page with a title. */
export function Card({
  title,
  hint,
  actions,
  flush = false,
  children,
}: {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Without padding, for tables that reach the edges. */
  readonly flush?: boolean;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={`card${flush ? ' card-flush' : ''}`} aria-labelledby={id}>
      <header class="card-header">
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <span class="card-hint">{hint}</span>}
        {actions !== undefined && <div class="card-actions">{actions}</div>}
      </header>
      <div class="card-body">{children}</div>
    </section>
  );
}
