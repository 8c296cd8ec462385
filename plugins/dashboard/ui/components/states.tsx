import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.js';
import { Icon, type IconName } from './icon.js';

/** Stands where there is nothing to show yet, and says what would change that. */
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

/** Says that data could not be had, and offers to try again. */
export function ErrorState({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <div class="notice notice-bad" role="alert">
      <Icon name="errors" />
      <p>{error.message}</p>
      {retry && (
        <button type="button" class="button button-small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Grey bars while data are on their way; a screen reader hears one word. */
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

/** What is shown of a resource: bars first, then the data; an error above what is known. */
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
