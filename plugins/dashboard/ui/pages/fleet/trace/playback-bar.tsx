import { Icon } from '../../../components/icon.js';
import { duration } from '../../../components/format.js';
import { SPEEDS } from '../model/playback.js';
import { useFleet } from '../state/context.js';

/** Plays the open trace: arcs light up as the cursor passes. */
export function PlaybackBar() {
  const { open } = useFleet();
  const { playing, at, speed } = open.playback.value;
  const { length } = open.timeline.value;
  const total = open.view.value?.duration ?? 0;
  const now = open.cursor.value;
  return (
    <div class="playback" role="group" aria-label="Playback">
      <button type="button" class="playback-step" aria-label="Previous moment" onClick={() => open.step(-1)}>
        <svg class="icon" width="14" height="14" viewBox="0 0 24 24" aria-hidden="true"><path d="M18 5v14l-9-7 9-7ZM6 5v14" /></svg>
      </button>
      <button type="button" class="playback-play" aria-label={playing ? 'Pause' : 'Play'} onClick={() => open.playOrPause()}>
        <Icon name={playing ? 'pause' : 'play'} size={15} />
      </button>
      <button type="button" class="playback-step" aria-label="Next moment" onClick={() => open.step(1)}>
        <svg class="icon" width="14" height="14" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 5v14l9-7-9-7ZM18 5v14" /></svg>
      </button>
      <input
        type="range"
        class="playback-scrub"
        aria-label="Position in the trace"
        aria-valuetext={now === undefined ? 'as it ended' : `${duration(now)} of ${duration(total)}`}
        min={0}
        max={length}
        step={1}
        value={at ?? length}
        onInput={({ currentTarget }) => open.seek(Number(currentTarget.value))}
      />
      <output class="playback-time">
        {now === undefined ? duration(total) : `${duration(now)} / ${duration(total)}`}
      </output>
      <label class="select playback-speed">
        <span class="visually-hidden">Speed</span>
        <select value={String(speed)} onChange={({ currentTarget }) => open.setSpeed(Number(currentTarget.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={String(each)}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="button button-small" disabled={at === undefined} onClick={() => open.leave()}>
        Whole trace
      </button>
    </div>
  ); // prettier-ignore
}
