import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** One of several views of a page, chosen by tabs (WAI-ARIA Authoring Practices, "Tabs", with automatic activation). */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  onChange,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [id: Id, title: ComponentChildren])[];
  readonly current: Id;
  readonly onChange: (id: Id) => void;
  /** The view of the current tab. */
  readonly children: ComponentChildren;
}) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  // Titles grow while a page loads.
  const widths = tabs.map(([, title]) => String(title)).join();
  useEffect(() => showCurrent(list.current), [current, widths]);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(([id]) => id === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next[0]);
    document.getElementById(`${base}-${next[0]}`)?.focus();
  };
  return (
    <>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([id, title]) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls={`${base}-panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${base}-${current}`}>
        {children}
      </div>
    </>
  );
}

// Not `scrollIntoView`, which may scroll the page, too.
function showCurrent(list: HTMLElement | null): void {
  const tab = list?.querySelector('[aria-selected="true"]');
  if (!list || !tab) return;
  const [inner, outer] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.left < outer.left) list.scrollLeft -= outer.left - inner.left;
  else if (inner.right > outer.right) list.scrollLeft += inner.right - outer.right;
}
