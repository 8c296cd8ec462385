import { useEffect, useState } from 'preact/hooks';
import { ApiError, fetchJson } from './client.js';

/** Something that is fetched. */
export interface Resource<Answer> {
  /** The newest answer; kept while a newer one is on its way, and when that fails. */
  readonly data: Answer | undefined;
  /** Why the last try failed; undefined after one that went well. */
  readonly error: ApiError | undefined;
  readonly reload: () => void;
  /** Replaces the answer, e.g. by adding what came over the live connection. */
  readonly update: (change: (answer: Answer) => Answer) => void;
}

/**
 * Fetches data for a page, and again at intervals while the page is visible.
 *
 * @param path - see `fetchJson`; a change fetches anew
 * @param refreshMs - milliseconds between two fetches; 0 for once
 */
export function useResource<Answer>(path: string, refreshMs = 0): Resource<Answer> {
  const [state, setState] = useState<{ path: string; data?: Answer | undefined; error?: ApiError | undefined }>({
    path,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let [asked, shown] = [0, 0];
    const load = async () => {
      const nth = ++asked;
      // A slow answer may come behind that to a later question.
      const isOutdated = () => abort.signal.aborted || nth < shown;
      try {
        const data = await fetchJson<Answer>(path, { signal: abort.signal });
        if (isOutdated()) return;
        shown = nth;
        setState({ path, data });
      } catch (error) {
        if (isOutdated() || !(error instanceof ApiError)) return;
        shown = nth;
        setState((before) => ({ path, data: before.path === path ? before.data : undefined, error }));
      }
    };
    void load();
    const timer = refreshMs > 0 ? setInterval(() => document.hidden || void load(), refreshMs) : undefined;
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [path, refreshMs, round]);
  return {
    data: state.data,
    error: state.path === path ? state.error : undefined,
    reload: () => setRound((before) => before + 1),
    update: (change) =>
      setState((before) => (before.data === undefined ? before : { ...before, data: change(before.data) })),
  };
}
