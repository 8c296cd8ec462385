import { useEffect, useRef, useState } from 'preact/hooks';
import { FilterBar, Select } from '../../../components/filters.js';
import { activeParts, NO_FILTER, tagProblem } from '../model/filters.js';
import { filter, setFilter } from '../state/address.js';
import { useFleet } from '../state/context.js';

const TYPING_MS = 300;

/** Filters of the trace list; they stand in the address. */
export function TraceFilters() {
  const { store } = useFleet();
  const current = filter.value;
  const services = store.services.value.map(({ name }): [string, string] => [name, name]);
  return (
    <FilterBar>
      <Select
        label="Service"
        value={current.service}
        options={[['', 'Any service'], ...withUnknown(services, current.service)]}
        onChange={(service) => setFilter({ service })}
      />
      <Select
        label="Status"
        value={current.status}
        options={withUnknown(STATUSES, current.status)}
        onChange={(status) => setFilter({ status })}
      />
      <Select
        label="Least number of services"
        value={current.minServices}
        options={withUnknown(SPREADS, current.minServices)}
        onChange={(minServices) => setFilter({ minServices })}
      />
      <TypedField
        label="Slower than, in milliseconds"
        placeholder="slower than … ms"
        numeric
        value={current.minDuration}
        onChange={(minDuration) => setFilter({ minDuration })}
      />
      <TypedField
        label="Tag, as key:value"
        placeholder="tag, e.g. order_id:123"
        value={current.tag}
        problem={tagProblem(current.tag)}
        onChange={(tag) => setFilter({ tag })}
      />
      {activeParts(current) > 0 && (
        <button type="button" class="button button-small" onClick={() => setFilter(NO_FILTER)}>
          Clear
        </button>
      )}
    </FilterBar>
  );
}

const STATUSES: readonly [string, string][] = [
  ['', 'Any status'],
  ['error', 'Failed'],
  ['200', '200'],
  ['400', '400'],
  ['404', '404'],
  ['500', '500'],
  ['502', '502'],
  ['503', '503'],
  ['504', '504'],
];
const SPREADS: readonly [string, string][] = [
  ['', 'Any spread'],
  ['2', '2+ services'],
  ['3', '3+ services'],
  ['5', '5+ services'],
];

// An address may ask for something that the list of choices does not have.
function withUnknown(options: readonly [string, string][], value: string): readonly [string, string][] {
  return value === '' || options.some(([option]) => option === value) ? options : [...options, [value, value]];
}

/** Text that takes effect when the typing pauses. */
function TypedField({
  label,
  placeholder,
  value,
  problem,
  numeric = false,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly problem?: string | undefined;
  readonly numeric?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim()), TYPING_MS);
  };
  return (
    <label class="typed">
      <span class="visually-hidden">{label}</span>
      <input
        type="text"
        {...(numeric && { inputMode: 'decimal' as const })}
        placeholder={placeholder}
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem !== undefined}
        {...(problem !== undefined && { title: problem })}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      {problem !== undefined && <span class="typed-problem">{problem}</span>}
    </label>
  );
}
