import type { ControlEvent, ControlObserver } from '../protocol/events.js';

/**
 * Writes one line per event, for `--log`. Lines contain only names; control characters of a caller's text are removed, so that no line can
 * be forged.
 *
 * @param command - how the program is called, in front of each line
 */
export function eventLog(command: string, write: (line: string) => void): ControlObserver {
  return (event) => write(`${command}: ${lineOf(event)}\n`);
}

function lineOf(event: ControlEvent): string {
  switch (event.kind) {
    case 'call':
      return `tool ${event.tool} ${outcome(event.outcome)} ${duration(event.ms)}${names(event.argumentNames)}`;
    case 'unknown':
      return `tool ${printable(event.tool)} unknown`;
    case 'refused':
      return `tool ${event.tool} refused (needs ${event.requires} capability)`;
    case 'rejected':
      return `refused ${event.status} ${event.reason}${event.peer ? ` from ${event.peer}` : ''}`;
    case 'initialized':
      return 'session initialized';
  }
}

function outcome(of: string): string {
  return of === 'crash' ? 'CRASHED' : of;
}

/** `4.21s`, `91ms` or `<1ms`. */
export function duration(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)}s`;
  return ms >= 1 ? `${Math.round(ms)}ms` : '<1ms';
}

function names(of: readonly string[]): string {
  return of.length === 0 ? '' : ` args=${of.map(printable).join(',')}`;
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '').slice(0, 100);
}
