/** The browser takes milliseconds for each, and a page needs one or two of them: they are made when they are needed. */
const NUMBER = madeOnce(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }));
const COMPACT = madeOnce(() => new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }));
const ZONE = madeOnce(() => new Intl.DateTimeFormat('en', { timeZoneName: 'short' }));
const DAY = madeOnce(() => new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }));

/** `12,345`; above a million `1.2M`. */
export function count(value: number): string {
  return Math.abs(value) >= 1e6 ? COMPACT().format(value) : NUMBER().format(value);
}

/** Milliseconds for people: `850 µs`, `12.3 ms`, `1.24 s`, `2 min 5 s`. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  if (ms === 0) return '0 ms';
  if (ms < 1) return `${Math.max(1, Math.round(ms * 1000))} µs`;
  if (ms < 100) return `${trimmed(ms, ms < 10 ? 2 : 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1000, 2)} s`;
  return span(Math.round(ms / 1000));
}

/** Seconds for people: `2 min 5 s`, `3 h 12 min`, `4 d 2 h`. */
export function span(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return '0 s';
  let rest = seconds;
  return units
    .slice(first, first + 2)
    .flatMap(([size, name]) => {
      const amount = Math.floor(rest / size);
      rest -= amount * size;
      return amount > 0 ? [`${amount} ${name}`] : [];
    })
    .join(' ');
}

/** `512 B`, `4.2 KiB`, `87 MiB`. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(value) / 10));
  const amount = value / 1024 ** step;
  return `${step === 0 ? amount : trimmed(amount, amount < 100 ? 1 : 0)} ${units[step]}`;
}

/** `14:03:27`, with the day in front when it is not today. */
export function clock(time: string): string {
  const date = new Date(time);
  const day = date.toDateString() === new Date().toDateString() ? '' : `${DAY().format(date)} `;
  return `${day}${clockOf(date)}`;
}

function clockOf(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** `2026-11-25 14:03:27 GMT+1`: fit to be quoted to somebody elsewhere. */
export function moment(time: string): string {
  const date = new Date(time);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day} ${clockOf(date)} ${zoneOf(date)}`;
}

function zoneOf(date: Date): string {
  return (
    ZONE()
      .formatToParts(date)
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  );
}

/** `14:03:27.482` */
export function preciseClock(time: string): string {
  return `${clock(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}

/** `just now`, `12 s ago`, `3 min ago`. */
export function ago(time: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 3) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h ago`;
  return clock(time);
}

/** `12.4 %` of a share between 0 and 1. */
export function percent(share: number): string {
  const value = share * 100;
  return `${trimmed(value, value !== 0 && value < 10 ? 2 : 1)} %`;
}

/** `3 routes`, `1 route`. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

/** Words of a snake_case or camelCase name: `heap_used` gives `Heap used`. */
export function words(name: string): string {
  const spaced = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function madeOnce<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
