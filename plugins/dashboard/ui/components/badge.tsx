import type { ComponentChildren } from 'preact';

/** What a badge says by its colour, beside its words. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet' | 'accent';

/** A word on a tint. */
export function Badge({ tone = 'quiet', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

/** A coloured dot before a word; the word carries the meaning. */
export function Dot({ tone }: { readonly tone: Tone }) {
  return <span class={`dot dot-${tone}`} aria-hidden="true" />;
}

/** HTTP status with the colour of its class. */
export function StatusBadge({ status }: { readonly status: number }) {
  return <Badge tone={toneOfStatus(status)}>{status === 0 ? 'none' : status}</Badge>;
}

/** Tone of an HTTP status. */
export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warn';
  if (status >= 300) return 'info';
  return status >= 200 ? 'ok' : 'quiet';
}

/** HTTP method in the colour that the API reference gives it. */
export function Method({ name }: { readonly name: string }) {
  return <span class={`method method-${name.toLowerCase()}`}>{name}</span>;
}

/** Tone of a probe's status or of a plugin's state. */
export function toneOfState(state: string): Tone {
  if (state === 'ok' || state === 'ready' || state === 'up') return 'ok';
  if (state === 'degraded' || state === 'registered') return 'warn';
  if (state === 'failed' || state === 'down') return 'bad';
  return 'quiet';
}
