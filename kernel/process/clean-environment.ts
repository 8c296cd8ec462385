import { isInherited } from './environment-rules.js';

/** Variables of a child besides those that every child inherits. */
export interface EnvironmentRequest {
  /** Variables to set; `undefined` removes one that would be inherited. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of further variables to inherit when they are set, e.g. `HTTPS_PROXY` or `GOCACHE`. */
  readonly inherit?: readonly string[];
}

/**
 * The environment of a child: an allow list of inherited variables and what the caller gives, nothing else. Tokens and
 * passwords in this process's environment (`FW_MCP_TOKEN`, database URLs, cloud keys) and switches that load code into
 * others (`NODE_OPTIONS`, `LD_PRELOAD`) therefore do not reach project code or containers.
 *
 * Inherited: `PATH`, home, user and shell; `TERM`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `CI`, `NO_COLOR`; temporary and XDG
 * folders, and that of fw's state; certificate stores (`SSL_CERT_FILE`, `SSL_CERT_DIR`, `NODE_EXTRA_CA_CERTS`); on Windows also the system folders.
 *
 * @param source - environment to inherit from, default this process's
 */
export function cleanEnvironment(
  { env = {}, inherit = [] }: EnvironmentRequest,
  source: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (isInherited(name) || inherit.includes(name))) clean[name] = value;
  }
  for (const [name, value] of Object.entries(env)) set(clean, name, value);
  return clean;
}

// Names are case-insensitive on Windows: a given `PATH` must replace an inherited `Path`, or the child would get both.
function set(into: Record<string, string>, name: string, value: string | undefined): void {
  const sameName =
    process.platform === 'win32' ? (each: string) => each.toUpperCase() === name.toUpperCase() : undefined;
  for (const each of sameName ? Object.keys(into).filter(sameName) : [name]) delete into[each];
  if (value !== undefined) into[name] = value;
}
