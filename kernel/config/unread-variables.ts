import { distance, fwError } from '../errors/index.js';
import { latestEnvFiles } from './env-files.js';
import { CONFIG_ERRORS } from './errors.js';

/** A variable of an `.env` file that nothing declares, with the declared one that it is nearly called. */
interface UnreadVariable {
  readonly name: string;
  /** Not set, so that its default counts. */
  readonly meant: string;
}

/** Variables that the framework reads by itself. */
const OWN = ['FW_DEBUG', 'FW_LOG_FORMAT', 'FW_LOG_LEVEL', 'FW_MCP_TOKEN'];

const declared = new Set(OWN);

/** Remembers the variables that an application declares. */
export function declareVariables(names: readonly string[]): void {
  for (const name of names) declared.add(name);
}

/**
 * Variables that the `.env` files of the loaded configuration probably misspell. `.env` files may have variables of other programs, so only
 * names that differ by a slip of the hand from a declared variable count, and only where that variable is not set.
 */
export function unreadVariables(): readonly UnreadVariable[] {
  const foreign = new Set(latestEnvFiles()?.names.filter((name) => !declared.has(name)));
  const unset = [...declared].filter((name) => (process.env[name] ?? '') === '');
  return [...foreign].flatMap((name) => {
    const meant = unset.find((other) => isSlip(name, other));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** The warning that says so. */
export const unreadVariable = ({ name, meant }: UnreadVariable): Error =>
  fwError(CONFIG_ERRORS.FW_CONFIG_ENV_UNREAD, { name, meant });

/** Names of this length and above may differ by two letters; among short ones, `HOST` and `PORT` do. */
const LONG = 8;

function isSlip(name: string, meant: string): boolean {
  const far = distance(name, meant);
  return far === 1 ? !areNumbered(name, meant) : far === 2 && (meant.length >= LONG || areExchanged(name, meant));
}

// `DB_URL` and `DB_URL2` are different variables.
const areNumbered = (one: string, other: string): boolean => one.replace(/\d+/g, '') === other.replace(/\d+/g, '');

// Two letters in each other's place: `PROT`.
const areExchanged = (one: string, other: string): boolean => [...one].sort().join('') === [...other].sort().join('');
