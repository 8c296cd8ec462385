import { connection, snapshot } from '../api/live.js';
import { Dot } from '../components/badge.js';
import { count } from '../components/format.js';

const WORDS = { live: 'Live', connecting: 'Connecting', waiting: 'Disconnected, trying again' } as const;
const TONES = { live: 'ok', connecting: 'warn', waiting: 'bad' } as const;

/** How the live connection is. */
export function Connection() {
  const state = connection.value;
  const traffic = snapshot.value?.traffic;
  return (
    <p class="connection">
      <span role="status">
        <Dot tone={TONES[state]} />
        {WORDS[state]}
      </span>
      {state === 'live' && traffic && <span class="connection-rate">{count(traffic.requests)} req/s</span>}
    </p>
  );
}
