import type { DestinationStream } from 'pino';

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const COLOURS: Readonly<Record<string, string>> = {
  debug: '\x1b[2m',
  info: '\x1b[36m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
  fatal: '\x1b[31m',
};
const HIDDEN = new Set(['level', 'time', 'msg', 'name', 'plugin', 'err']);

/** Turns pino's JSON lines into lines for a person: time, level, plugin, message, the remaining fields. */
export function prettyStream(destination: NodeJS.WritableStream & { readonly isTTY?: boolean }): DestinationStream {
  const colours = destination.isTTY === true && process.env['NO_COLOR'] === undefined;
  return { write: (line: string) => void destination.write(prettyLine(line, colours)) };
}

/** One line for a person; a line that is not JSON is passed on as it is. */
export function prettyLine(line: string, colours: boolean): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const level = LEVELS[fields['level'] as number] ?? String(fields['level']);
  const time = new Date(fields['time'] as number).toISOString().slice(11, 23);
  const paint = (text: string, colour: string | undefined) => (colours && colour ? `${colour}${text}\x1b[0m` : text);
  const source = typeof fields['plugin'] === 'string' ? ` [${fields['plugin']}]` : '';
  const rest = Object.entries(fields)
    .filter(([key]) => !HIDDEN.has(key))
    .map(([key, value]) => ` ${key}=${inWords(value)}`)
    .join('');
  const stack = (fields['err'] as { stack?: string } | undefined)?.stack;
  const message = `${shown(source)} ${shown(String(fields['msg'] ?? ''))}${paint(shown(rest), '\x1b[2m')}`;
  return `${paint(time, '\x1b[2m')} ${paint(level.padEnd(5), COLOURS[level])}${message}\n${stack ? `${shown(stack)}\n` : ''}`;
}

// Control characters except line breaks and tabs: what a stranger sent must not steer the terminal of whoever reads the log.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function shown(text: string): string {
  return text.replace(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inWords(value: unknown): string {
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value);
}
