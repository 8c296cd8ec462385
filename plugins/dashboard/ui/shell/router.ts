import { computed, signal } from '@preact/signals';
import { boot } from '../boot.js';

const here = signal(new URL(location.href));

/** Path below the dashboard's mount, `/` first; what the navigation and the pages look at. */
export const path = computed(() => here.value.pathname.slice(boot.basePath.length).replace(/\/+$/, '') || '/');

/** The query of the address: what a page keeps there survives a reload and can be sent to somebody. */
export const query = computed(() => here.value.searchParams);

/** Address of a path below the dashboard's mount. */
export function href(to: string): string {
  return to === '/' ? boot.basePath : `${boot.basePath}${to}`;
}

/** Opens a path below the dashboard's mount, e.g. `/requests?status=5xx`. */
export function navigate(to: string): void {
  history.pushState(null, '', href(to));
  here.value = new URL(location.href);
}

/** Changes parts of the query without a new entry in the history; an empty value removes the part. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const next = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  history.replaceState(null, '', next);
  here.value = next;
}

/** Makes links inside the dashboard change the page without loading it anew. */
export function startRouter(): void {
  addEventListener('popstate', () => (here.value = new URL(location.href)));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || !isPlainClick(event) || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || !isOurs(link.pathname)) return;
    event.preventDefault();
    navigate(link.href.slice(link.origin.length + boot.basePath.length) || '/');
  });
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

function isOurs(pathname: string): boolean {
  const { basePath } = boot;
  if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return false;
  return !/^\/(api|assets|login|logout|pages)(\/|$)/.test(pathname.slice(basePath.length));
}
