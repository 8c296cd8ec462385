import { ago, clock, moment } from './format.js';

/** A time: short to read, with its date and zone for whoever points at it, or takes it along. */
export function Moment({ time, as = 'clock' }: { readonly time: string; readonly as?: 'clock' | 'ago' | 'whole' }) {
  const text = { clock, ago, whole: moment }[as](time);
  return (
    <time dateTime={time} title={moment(time)}>
      {text}
    </time>
  );
}
