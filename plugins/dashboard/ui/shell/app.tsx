import { type ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connection, gone, reconnections } from '../api/live.js';
import { boot } from '../boot.js';
import { Icon } from '../components/icon.js';
import { Moment } from '../components/moment.js';
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
    // Moves the focus to the new page for users of a keyboard or screen reader.
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
        <Gone />
        {page ? <LazyPage key={page.id} page={page} /> : <NoPage />}
      </main>
    </>
  );
}

/** Says on every page that the application does not answer, and since when: what is shown is what was known then. */
function Gone() {
  const since = gone.value;
  if (since === undefined) return null;
  return (
    <div class="notice notice-warn gone" role="alert">
      <Icon name="errors" />
      <p>
        <strong>The application does not answer</strong> since{' '}
        <Moment time={new Date(since).toISOString()} as="whole" />. What you see is what was known then. It is tried
        again all the time.
      </p>
    </div>
  );
}

type PageState = { readonly component: ComponentType } | { readonly failure: string };

function LazyPage({ page }: { readonly page: PageEntry }) {
  const [state, setState] = useState<PageState>();
  useEffect(() => {
    let gone = false;
    const show = (next: PageState) => void (gone || setState(next));
    page.load().then(
      ({ default: component }) => show({ component }),
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

/** Shown if the files of a page could not be loaded: the application is restarting, or was replaced by a build with other files. */
function NotLoaded({ reason }: { readonly reason: string }) {
  const isLive = connection.value === 'live';
  const isBack = isLive && reconnections.value > 0;
  useEffect(() => {
    // Reloads the whole document, because the names of the files may have changed. A fresh document has no reconnection, so this does not
    // repeat.
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
