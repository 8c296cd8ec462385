import { useState } from 'preact/hooks';
import { StatusBadge } from '../../components/badge.js';
import { Code, Facts } from '../../components/facts.js';
import { bytes, duration, plural } from '../../components/format.js';
import { Icon } from '../../components/icon.js';
import { Tabs } from '../../components/tabs.js';
import { type CallInput, type CallResult, curlOf, fetchOf, prepareCall, type PreparedCall, sendCall } from './call.js';
import type { Operation, Parameter } from './operations.js';

type Outcome = { readonly result: CallResult } | { readonly failure: string };

/** Inputs of an operation, and the answer to it. */
export function CallForm({ operation }: { readonly operation: Operation }) {
  const [input, setInput] = useState<CallInput>({ values: {}, headers: '', body: operation.body ?? '' });
  const [outcome, setOutcome] = useState<Outcome>();
  const [sending, setSending] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    setSending(true);
    try {
      setOutcome({ result: await sendCall(prepareCall(operation, input)) });
    } catch (error) {
      setOutcome({ failure: error instanceof RangeError ? error.message : `The call failed: ${String(error)}` });
    }
    setSending(false);
  };
  const setValue = (key: string, value: string) => setInput({ ...input, values: { ...input.values, [key]: value } });
  return (
    <form class="call-form" onSubmit={(event) => void send(event)} noValidate>
      {operation.parameters.length > 0 && (
        <div class="call-fields">
          {operation.parameters.map((parameter) => {
            const key = `${parameter.in}/${parameter.name}`;
            return (
              <Field
                key={key}
                parameter={parameter}
                value={input.values[key] ?? ''}
                onInput={(value) => setValue(key, value)}
              />
            );
          })}
        </div>
      )}
      {operation.body !== undefined && (
        <label class="field">
          <span>Body, as JSON</span>
          <textarea
            rows={Math.min(18, input.body.split('\n').length + 1)}
            spellcheck={false}
            value={input.body}
            onInput={({ currentTarget }) => setInput({ ...input, body: currentTarget.value })}
          />
        </label>
      )}
      <details>
        <summary>Headers</summary>
        <label class="field">
          <span class="field-note">One "Name: value" in each line, e.g. Authorization: Bearer …</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={input.headers}
            onInput={({ currentTarget }) => setInput({ ...input, headers: currentTarget.value })}
          />
        </label>
      </details>
      <div>
        <button type="submit" class="button button-primary" disabled={sending}>
          <Icon name="play" size={14} /> {sending ? 'Sending' : 'Send'}
        </button>
      </div>
      <div aria-live="polite">{outcome && <Answer outcome={outcome} />}</div>
      <Snippets operation={operation} input={input} />
    </form>
  );
}

function Field({
  parameter,
  value,
  onInput,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const { name, in: place, required, type, description } = parameter;
  return (
    <label class="field">
      <span>
        {name} <span class="field-note">{[place, type, required && 'required'].filter(Boolean).join(', ')}</span>
      </span>
      <input
        value={value}
        required={required}
        spellcheck={false}
        placeholder={description}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

function Answer({ outcome }: { readonly outcome: Outcome }) {
  if ('failure' in outcome) {
    return (
      <p class="notice notice-bad">
        <Icon name="errors" /> {outcome.failure}
      </p>
    );
  }
  const { status, statusText, ms, bytes: size, headers, body } = outcome.result;
  return (
    <section aria-label="Answer">
      <p class="response-line">
        <StatusBadge status={status} /> <span>{statusText}</span>
        <span class="muted">{duration(ms)}</span>
        <span class="muted">{bytes(size)}</span>
      </p>
      {body !== '' && <Code text={body} label="answer" />}
      <details>
        <summary>{plural(headers.length, 'header')} of the answer</summary>
        <Facts items={headers.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
      </details>
    </section>
  );
}

function Snippets({ operation, input }: { readonly operation: Operation; readonly input: CallInput }) {
  const [language, setLanguage] = useState<'curl' | 'fetch'>('curl');
  const call = preparedOrPlain(operation, input);
  const text = language === 'curl' ? curlOf(call, location.origin) : fetchOf(call, location.origin);
  return (
    <section aria-label="The same call elsewhere">
      <Tabs
        label="Language"
        current={language}
        onChange={setLanguage}
        tabs={[
          ['curl', 'curl'],
          ['fetch', 'JavaScript'],
        ]}
      >
        <Code text={text} label="snippet" />
      </Tabs>
    </section>
  );
}

// While an input is missing, the snippet shows the path pattern.
function preparedOrPlain(operation: Operation, input: CallInput): PreparedCall {
  try {
    return prepareCall(operation, input);
  } catch {
    return { method: operation.method, url: operation.path, headers: {}, body: operation.body && input.body };
  }
}
