import { useState } from 'preact/hooks';
import type { Incident, IncidentNote } from '../../../../wire/fleet.js';
import { CopyButton } from '../../../components/facts.js';
import { Moment } from '../../../components/moment.js';
import { incidentAddress } from '../state/address.js';
import { useFleet } from '../state/context.js';

/** For how long an incident is silenced with one click, in minutes. */
const SILENCE_MINUTES = 60;

/** What can be done to an incident. */
export function IncidentActions({ incident }: { readonly incident: Incident }) {
  const { store } = useFleet();
  const [failure, setFailure] = useState('');
  const [isWriting, setWriting] = useState(false);
  const { id, acknowledged_unix: acknowledged, silenced_until_unix: silenced } = incident;
  const act = async (action: string, body: object) => {
    try {
      await store.actOnIncident(id, action, body);
      setFailure('');
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      {acknowledged === undefined && (
        <button type="button" class="button button-small" onClick={() => void act('acknowledge', {})}>
          Acknowledge
        </button>
      )}
      <button
        type="button"
        class="button button-small"
        onClick={() => void act('silence', { minutes: silenced === undefined ? SILENCE_MINUTES : 0 })}
      >
        {silenced === undefined ? 'Silence for an hour' : 'End the silence'}
      </button>
      <button
        type="button"
        class="button button-small"
        aria-expanded={isWriting}
        onClick={() => setWriting(!isWriting)}
      >
        Add a note
      </button>
      <CopyButton text={incidentAddress(id)} label="Copy the link to this incident" />
      {isWriting && (
        <NoteForm
          onSend={async (text) => {
            await act('notes', { text });
            setWriting(false);
          }}
        />
      )}
      {failure !== '' && (
        <p role="alert" class="is-bad">
          {failure}
        </p>
      )}
    </>
  );
}

function NoteForm({ onSend }: { readonly onSend: (text: string) => Promise<void> }) {
  const [text, setText] = useState('');
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void onSend(text);
      }}
    >
      <input
        aria-label="Note"
        maxLength={1000}
        placeholder="What is known, who looks after it"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="button button-small">
        Save the note
      </button>
    </form>
  );
}

/** What people wrote down, oldest first. */
export function IncidentNotes({ notes }: { readonly notes: readonly IncidentNote[] }) {
  if (notes.length === 0) return null;
  return (
    <ol class="notes" aria-label="Notes">
      {notes.map(({ text, by, unix }) => (
        <li key={`${unix} ${text}`}>
          <Moment time={new Date(unix * 1000).toISOString()} as="whole" /> {by !== undefined && <b>{by}</b>} {text}
        </li>
      ))}
    </ol>
  );
}
