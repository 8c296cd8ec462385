/** Variables that ordinary programs need to find programs, their user, language and certificates. */
const INHERITED: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'CI', 'NO_COLOR'],
  ...['TMPDIR', 'TMP', 'TEMP', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  // Folder of fw's state per user, so that a command that a tool starts uses the same.
  ...['XDG_STATE_HOME', 'FW_MCP_STATE_DIR'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  // Windows does not start most programs without these.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA'],
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'NUMBER_OF_PROCESSORS'],
]);

/**
 * Whether every child inherits a variable from this process. An allow list, so that children do not get tokens and switches of this
 * process.
 */
export function isInherited(name: string): boolean {
  const upper = process.platform === 'win32' ? name.toUpperCase() : name;
  return INHERITED.has(upper) || upper.startsWith('LC_');
}

/** How programs are told of a proxy, in the two spellings that they read: one reads only capitals, another only small letters. */
export const PROXY_VARIABLES: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** Programs and loaders that read variables to decide which code, settings or trusted keys a process uses. */
const LOADERS: readonly (readonly [reader: string, prefixes: string, names: string])[] = [
  [
    'the dynamic linker and the C library',
    'LD_ DYLD_ _RLD LDR_ MALLOC_ GLIBC_',
    'SHLIB_PATH LIBPATH LIBRARY_PATH GCONV_PATH GETCONF_DIR LOCPATH NLSPATH HOSTALIASES LOCALDOMAIN RES_OPTIONS RESOLV_HOST_CONF',
  ],
  [
    'Node and its tools',
    'NODE_ NPM_ NPX_ YARN_ PNPM_ COREPACK_ TS_NODE_ TSX_ JEST_ ESBUILD_ SWC_ BUN_ DENO_ NVM_ UV_ V8_ ELECTRON_',
    'NODE',
  ],
  ['fw itself', 'FW_', ''],
  [
    'another language',
    'PYTHON PYENV_ PIP_ RUBY GEM_ BUNDLE_ PERL JAVA _JAVA JDK_ JVM_ MAVEN_ GRADLE_ DOTNET_ COMPLUS_ CORECLR_ COR_PROFILER LUA_ ERL_ ELIXIR_ RUST_ GUILE_ PHP_INI',
    'CLASSPATH MONO_PATH VIRTUAL_ENV PHPRC TCLLIBPATH R_HOME R_PROFILE R_ENVIRON R_LIBS COR_ENABLE_PROFILING GOFLAGS GODEBUG GOROOT GOPATH GOBIN GOENV GOPROXY GOWORK GOTOOLCHAIN GOCACHE GOMODCACHE',
  ],
  [
    'a shell',
    'BASH_ ZSH_ KSH_',
    'ENV IFS BASHOPTS KSHRC PS1 PS2 PS4 SHELL SHELLOPTS PROMPT_COMMAND ZDOTDIR CDPATH FPATH GLOBIGNORE INPUTRC COMSPEC',
  ],
  [
    'whoever looks for programs and settings',
    'XDG_ TERMINFO',
    'LESS LESSOPEN LESSCLOSE LESSKEY MANPATH MANPAGER EDITOR VISUAL PAGER BROWSER PATH PATHEXT HOME USERPROFILE TMPDIR TMP TEMP APPDATA LOCALAPPDATA PROGRAMDATA SYSTEMROOT WINDIR',
  ],
  ['git and ssh', 'GIT_ SSH_', ''],
  [
    'a library that loads modules or data of its own',
    'KRB5_ GTK_ GIO_ GST_PLUGIN_ QT_PLUGIN_ GNUTLS_ MAGICK_',
    'ICU_DATA ODBCINI ODBCSYSINI SASL_PATH SASL_CONF_PATH AWKPATH AWKLIBPATH AWK_LIBPATH TNS_ADMIN ORACLE_HOME',
  ],
  [
    'whoever decides which certificates are trusted',
    'OPENSSL_ SSL_ CURL_ P11_KIT_',
    'SSLKEYLOGFILE REQUESTS_CA_BUNDLE',
  ],
  ['a sanitizer or profiler', 'ASAN_ LSAN_ MSAN_ TSAN_ UBSAN_ GCOV_ LLVM_ VALGRIND_', ''],
];

const BY_NAME = new Map(LOADERS.flatMap(([reader, , names]) => words(names).map((name) => [name, reader] as const)));
const BY_PREFIX = LOADERS.flatMap(([reader, prefixes]) => words(prefixes).map((prefix) => [prefix, reader] as const));

/**
 * The program that reads a variable to decide what a process loads; undefined for a variable of the application. Used for variables from a
 * caller who may configure an application but not choose its code. It matches whole families of names, in any case, rather than the names
 * that are known to be harmful today.
 */
export function loaderOf(variable: string): string | undefined {
  const name = variable.toUpperCase();
  return BY_NAME.get(name) ?? BY_PREFIX.find(([prefix]) => name.startsWith(prefix))?.[1];
}

function words(list: string): readonly string[] {
  return list.split(' ').filter((word) => word !== '');
}
