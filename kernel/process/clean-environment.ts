/** Variables without which ordinary programs do not find themselves, their user, their language or their certificates. */
const INHERITED: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'CI', 'NO_COLOR'],
  ...['TMPDIR', 'TMP', 'TEMP', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  // Windows does not start most programs without these.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'NUMBER_OF_PROCESSORS'],
]);

/** What a child sees besides the variables that every child inherits. */
export interface EnvironmentRequest {
  /** Variables to set; `undefined` leaves one out, also one that would be inherited. */
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
 * folders; certificate stores (`SSL_CERT_FILE`, `SSL_CERT_DIR`, `NODE_EXTRA_CA_CERTS`); on Windows also the system folders.
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

function isInherited(name: string): boolean {
  const upper = process.platform === 'win32' ? name.toUpperCase() : name;
  return INHERITED.has(upper) || upper.startsWith('LC_');
}

// Names fold case on Windows: `PATH` given must replace `Path` inherited, or the child would get both.
function set(into: Record<string, string>, name: string, value: string | undefined): void {
  const sameName =
    process.platform === 'win32' ? (each: string) => each.toUpperCase() === name.toUpperCase() : undefined;
  for (const each of sameName ? Object.keys(into).filter(sameName) : [name]) delete into[each];
  if (value !== undefined) into[name] = value;
}
