import { fwError } from '../../../../kernel/index.js';
import type { Incident } from '../../../../kernel/contracts/fleet-wire.js';
import { AGGREGATOR_ERRORS } from '../errors.js';
import type { IncidentLog } from './incident-log.js';
import { isObject } from '../../../../kernel/values/index.js';

/** Actions on an incident: the last segment of the path. */
export type IncidentAction = 'acknowledge' | 'silence' | 'notes';

/** Longest name of a person, and longest note, in characters; longest silence, in minutes: a week. */
const [MAX_BY, MAX_TEXT, MAX_MINUTES] = [64, 1_000, 10_080];

/**
 * Executes an action on an incident.
 *
 * @param body - `{ by? }`, `{ minutes, by? }`, where none ends a silence, or `{ text, by? }`
 * @returns the changed incident
 * @throws FwError `FW_FLEET_INCIDENT_ACTION` (400), `FW_FLEET_INCIDENT_UNKNOWN` (404)
 */
export function actOn(log: IncidentLog, id: number, action: IncidentAction, body: unknown, now: number): Incident {
  if (!isObject(body)) throw refused(action, 'a JSON object');
  const by = body['by'] === undefined ? undefined : textOf(action, 'by', body['by'], MAX_BY);
  const changed = applied(log, id, action, body, by, now);
  if (changed === undefined) throw fwError(AGGREGATOR_ERRORS.FW_FLEET_INCIDENT_UNKNOWN, {});
  return changed;
}

function applied(
  log: IncidentLog,
  id: number,
  action: IncidentAction,
  body: Readonly<Record<string, unknown>>,
  by: string | undefined,
  now: number,
): Incident | undefined {
  switch (action) {
    case 'acknowledge':
      return log.acknowledge(id, by, now);
    case 'silence': {
      const { minutes } = body;
      const isRight = typeof minutes === 'number' && minutes >= 0 && minutes <= MAX_MINUTES;
      if (!isRight) throw refused(action, `minutes, a number from 0 to ${MAX_MINUTES}`);
      return log.silence(id, minutes, now);
    }
    case 'notes': {
      const text = textOf(action, 'text', body['text'], MAX_TEXT);
      return log.note(id, { text, ...(by !== undefined && { by }), unix: Math.floor(now / 1000) });
    }
  }
}

function textOf(action: IncidentAction, name: string, value: unknown, most: number): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '' || text.length > most) throw refused(action, `${name}, a text of 1 to ${most} characters`);
  return text;
}

function refused(action: IncidentAction, expected: string) {
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_INCIDENT_ACTION, { action, expected });
}
