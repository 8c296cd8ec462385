import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from './format.js';
import { Icon } from './icon.js';

/** Names with their values. */
export function Facts({ items }: { readonly items: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Longer texts get a line of their own. */
const SHORT_CHARACTERS = 28;

/** Names with values of any kind, such as a probe's detail: short ones in columns, the others below. */
export function FactGrid({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(facts).sort(([, one], [, other]) => Number(isLong(one)) - Number(isLong(other)));
  return (
    <dl class="facts facts-columns">
      {entries.map(([name, value]) => (
        <div key={name} class={isLong(value) ? 'facts-long' : undefined}>
          <dt>{words(name)}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isLong(value: unknown): boolean {
  if (Array.isArray(value))
    return value.join(', ').length > SHORT_CHARACTERS || value.some((item) => typeof item === 'object');
  return typeof value === 'object' ? value !== null : String(value).length > SHORT_CHARACTERS;
}

/** Text in a typewriter's face that can be copied. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code">
      <CopyButton text={text} label={`Copy ${label}`} />
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

const SHOWN_MS = 1_500;

/** Copies a text and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="icon-button" aria-label={copied ? 'Copied' : label} onClick={() => void copy()}>
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  );
}

/** A value as people write it: text as it is, lists by comma, objects as JSON. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined || value === '') return <span class="muted">–</span>;
  if (typeof value === 'boolean') return <code>{String(value)}</code>;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? <span class="muted">none</span> : <>{value.join(', ')}</>;
  }
  if (typeof value === 'object') return <pre class="value-json">{JSON.stringify(value, null, 2)}</pre>;
  return <>{String(value)}</>;
}
