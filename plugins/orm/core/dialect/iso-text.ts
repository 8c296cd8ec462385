const DAY = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));
let lastDay = Number.NaN;
let lastDayText = '';

/**
 * What `toISOString` gives, three times as fast while dates fall on the same day, as those of one insert do.
 *
 * @throws RangeError for an invalid date
 */
export function isoText(date: Date): string {
  const time = date.getTime();
  const day = Math.floor(time / DAY);
  if (day !== lastDay) {
    const text = date.toISOString();
    lastDayText = text.slice(0, -13);
    lastDay = day;
    return text;
  }
  const ofDay = time - day * DAY;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const hour = TWO_DIGITS[hours] as string;
  const minute = TWO_DIGITS[minutes - hours * 60] as string;
  const second = TWO_DIGITS[seconds - minutes * 60] as string;
  return `${lastDayText}${hour}:${minute}:${second}.${THREE_DIGITS[ofDay - seconds * 1000] as string}Z`;
}
