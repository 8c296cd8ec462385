import type { ComponentChildren } from 'preact';
import type { Tone } from './badge.js';
import { Sparkline } from './sparkline.js';

/** One number, with its trend. */
export function Stat({
  label,
  value,
  note,
  tone,
  trend,
}: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly tone?: Tone | undefined;
  /** Values oldest first; null where there are none. */
  readonly trend?: readonly (number | null)[];
}) {
  return (
    <div class={`stat${tone ? ` stat-${tone}` : ''}`}>
      <dt class="stat-label">{label}</dt>
      <dd class="stat-value">{value}</dd>
      {note !== undefined && <dd class="stat-note">{note}</dd>}
      {trend && (
        <dd class="stat-trend">
          <Sparkline values={trend} />
        </dd>
      )}
    </div>
  );
}

/** A row of numbers. */
export function Stats({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="stats-frame">
      <dl class="stats">{children}</dl>
    </div>
  );
}
