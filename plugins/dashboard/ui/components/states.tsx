import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.js';
import { Icon, type IconName } from './icon.js';

/** Placeholder for an empty list, with what would fill it. */
export function Empty({
  icon = 'search',
  title,
  children,
}: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <p class="empty-title">{title}</p>
      {children !== undefined && <p class="empty-text">{children}</p>}
    </div>
  );
}

/**
 * Error message for data that could not be loaded, with a button to retry. `fw dev` answers with lines of the source: what stands below the
 * first line is shown as it is.
 */
export function ErrorState({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  const [sentence, ...lines] = error.message.trim().split('\n');
  return (
    <div class="notice notice-bad" role="alert">
      <Icon name="errors" />
      <div class="notice-text">
        <p>{sentence}</p>
        {lines.length > 0 && <pre tabIndex={0}>{lines.join('\n').trim()}</pre>}
      </div>
      {retry && (
        <button type="button" class="button button-small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Grey bars while data are loading; a screen reader reads one word. */
export function Loading({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton skeleton-row" />
      ))}
    </div>
  );
}

/** Shows a resource: bars while it loads, then the data; an error above the last known data. */
export function Loaded<Data>({
  resource,
  children,
  rows,
}: {
  readonly resource: {
    readonly data: Data | undefined;
    readonly error: ApiError | undefined;
    readonly reload: () => void;
  };
  readonly children: (data: Data) => ComponentChildren;
  readonly rows?: number;
}) {
  const { data, error, reload } = resource;
  return (
    <>
      {error && <ErrorState error={error} retry={reload} />}
      {data !== undefined ? children(data) : !error && <Loading {...(rows !== undefined && { rows })} />}
    </>
  );
}
