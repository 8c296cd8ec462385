import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.js';

/** Filters above a list. */
export function FilterBar({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="filters" role="search">
      {children}
    </div>
  );
}

/** Text that is looked for. */
export function SearchField({
  label,
  value,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <label class="search">
      <Icon name="search" size={14} />
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

/** One of a few choices, all of them in sight. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: ComponentChildren])[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map(([option, title]) => (
        <label key={option} class="segment">
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** One of many choices. */
export function Select({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="select">
      <span class="visually-hidden">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, title]) => (
          <option key={option} value={option}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Something that is on or off. */
export function Toggle({
  label,
  on,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  return (
    <label class="toggle">
      <input type="checkbox" checked={on} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
