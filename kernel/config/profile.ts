import { fwError } from '../errors/index.js';
import { CONFIG_ERRORS } from './errors.js';

/** The profiles of an application: which variant of the options applies. */
export const PROFILES = ['dev', 'test', 'prod'] as const;

/** Name of a profile. `FW_PROFILE` or `--profile` selects one; `NODE_ENV=production` means prod; dev otherwise. */
export type Profile = (typeof PROFILES)[number];

/**
 * The active profile: the one asked for, else `FW_PROFILE`, else prod under `NODE_ENV=production`, else dev.
 * @throws FwError `FW_CONFIG_PROFILE` for a name that is not a profile
 */
export function activeProfile(asked: string | undefined, env: NodeJS.ProcessEnv = process.env): Profile {
  const name = asked ?? env['FW_PROFILE'] ?? (env['NODE_ENV'] === 'production' ? 'prod' : 'dev');
  if ((PROFILES as readonly string[]).includes(name)) return name as Profile;
  throw fwError(CONFIG_ERRORS.FW_CONFIG_PROFILE, { profile: name, known: PROFILES });
}
