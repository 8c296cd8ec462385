import { type ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connection, reconnections } from '../api/live.js';
import { boot } from '../boot.js';
import { PageHeader } from '../components/page-header.js';
import { Empty, Loading } from '../components/states.js';
import type { PageEntry } from '../pages/registry.js';
import { Navigation } from './navigation.js';
import { pageAt } from './pages.js';
import { href, path } from './router.js';

/** The dashboard: navigation, and the page that the address names. */
export function App() {
  const page = pageAt(path.value);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = `${page?.title ?? 'Not found'} · ${boot.app.name}`;
    // Whoever uses a keyboard or a screen reader goes on reading at the new page, not behind the link that was followed.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
    scrollTo(0, 0);
  }, [page]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Navigation current={page?.id} />
      <main id="main" ref={main} class="main" tabIndex={-1}>
        {page ? <LazyPage key={page.id} page={page} /> : <NoPage />}
      </main>
    </>
  );
}

type PageState = { readonly component: ComponentType } | { readonly failure: string };

function LazyPage({ page }: { readonly page: PageEntry }) {
  const [state, setState] = useState<PageState>();
  useEffect(() => {
    let gone = false;
    const show = (next: PageState) => void (gone || setState(next));
    page.load().then(
      (component) => show({ component }),
      (error: unknown) => show({ failure: String(error) }),
    );
    return () => void (gone = true);
  }, [page]);
  if (state && 'component' in state) return <state.component />;
  return (
    <>
      <PageHeader title={page.title} />
      {state ? <NotLoaded reason={state.failure} /> : <Loading />}
    </>
  );
}

/** A page whose files could not be had: the application restarts, or is another one by now, with other files. */
function NotLoaded({ reason }: { readonly reason: string }) {
  const isLive = connection.value === 'live';
  const isBack = isLive && reconnections.value > 0;
  useEffect(() => {
    // The whole document, since the names of the files may have changed. It begins with no reconnection, so this ends.
    if (isBack) location.reload();
  }, [isBack]);
  return (
    <Empty icon="errors" title="The page could not be loaded">
      {isLive ? (
        <>
          {reason}. After an update of the application, <a href={location.href}>load it anew</a>.
        </>
      ) : (
        'The application does not answer. The page is loaded as soon as it is back.'
      )}
    </Empty>
  );
}

function NoPage() {
  return (
    <>
      <PageHeader title="No such page" />
      <Empty title={`Nothing is at ${path.value}`}>
        Go to the <a href={href('/')}>overview</a>, or choose a page on the left.
      </Empty>
    </>
  );
}
