import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanEnvironment } from './clean-environment.js';
import { loaderOf } from './environment-rules.js';

const SOURCE = {
  PATH: '/usr/bin',
  HOME: '/home/u',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  FW_MCP_TOKEN: 'secret',
  DATABASE_URL: 'postgres://u:p@h/d',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NODE_OPTIONS: '--require ./evil.js',
  LD_PRELOAD: '/evil.so',
  HTTPS_PROXY: 'http://proxy',
};

describe('cleanEnvironment', () => {
  test('inherits what programs need and nothing else', () => {
    expect(cleanEnvironment({}, SOURCE)).toEqual({ PATH: '/usr/bin', HOME: '/home/u', LC_ALL: 'C.UTF-8', TZ: 'UTC' });
  });

  test('inherits further variables by name, when they are set', () => {
    const seen = cleanEnvironment({ inherit: ['HTTPS_PROXY', 'NO_PROXY'] }, SOURCE);
    expect(seen).toHaveProperty('HTTPS_PROXY', 'http://proxy');
    expect(seen).not.toHaveProperty('NO_PROXY');
  });

  test('sets what is given, over what is inherited, and leaves out what is undefined', () => {
    const seen = cleanEnvironment({ env: { PATH: '/opt/bin', HOME: undefined, EMPTY: '' } }, SOURCE);
    expect(seen).toEqual({ PATH: '/opt/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', EMPTY: '' });
  });
});

// What manuals say that a loader, runtime, shell or tool reads: ld.so(8), node(1), npm-config(7), environ(7), bash(1), python(1),
// ruby(1), perlrun(1), java(1), openssl-env(7), git(1), curl(1), .NET, GraalVM.
const READ_BY_LOADERS = [
  'LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GLIBC_TUNABLES', 'GCONV_PATH', 'LOCPATH', 'MALLOC_CHECK_',
  'HOSTALIASES', 'LIBPATH', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_REPL_EXTERNAL_MODULE',
  'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'NODE_ENV', 'npm_config_prefix', 'NPM_CONFIG_SCRIPT_SHELL', 'npm_config_node_options', 'YARN_RC_FILENAME',
  'TS_NODE_PROJECT', 'ESBUILD_BINARY_PATH', 'PATH', 'HOME', 'TMPDIR', 'IFS', 'ENV', 'BASH_ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'PROMPT_COMMAND', 'ZDOTDIR', 'CDPATH',
  'PYTHONPATH', 'PYTHONSTARTUP', 'PYTHONHOME', 'PIP_INDEX_URL', 'VIRTUAL_ENV', 'RUBYOPT', 'RUBYLIB', 'GEM_PATH', 'BUNDLE_GEMFILE',
  'PERL5OPT', 'PERL5LIB', 'PERL_UNICODE', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'CLASSPATH', 'DOTNET_STARTUP_HOOKS',
  'CORECLR_PROFILER', 'COR_ENABLE_PROFILING', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LUA_INIT', 'ERL_FLAGS', 'GODEBUG', 'RUST_BACKTRACE', 'OPENSSL_CONF', 'OPENSSL_MODULES',
  'OPENSSL_ENGINES', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SSLKEYLOGFILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'GIT_SSH_COMMAND', 'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL', 'SSH_ASKPASS', 'XDG_CONFIG_HOME', 'LESSOPEN', 'PAGER', 'EDITOR', 'TERMINFO', 'ASAN_OPTIONS', 'ICU_DATA', 'KRB5_CONFIG', 'ODBCSYSINI', 'SASL_PATH', 'GTK_MODULES', 'NVM_DIR', 'NODE', 'FW_PROFILE', 'FW_MCP_TOKEN',
]; // prettier-ignore

const OF_APPLICATIONS = [
  'DATABASE_URL', 'DATABASE_FILE', 'JWT_SECRET', 'REDIS_URL', 'LOG_LEVEL', 'TZ', 'LANG', 'GREETING', 'STRIPE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS',
  'GITHUB_TOKEN', 'MANDRILL_KEY', 'VIRTUAL_HOST', 'LESSON', 'ENVIRONMENT', 'PATHFINDER', 'HOMEPAGE', 'SHELLFISH', 'MAIL_HOST', 'PGPASSWORD', 'SERVICE_NODE', 'DEBUG', 'HTTP_PROXY', 'GEMINI_API_KEY', 'GST_RATE', 'SASL_USERNAME', 'NODES',
]; // prettier-ignore

describe('loaderOf', () => {
  test('knows whole families, in any case and with any ending', () => {
    for (const name of READ_BY_LOADERS) expect([name, loaderOf(name)]).toEqual([name, expect.any(String)]);
    const families = [
      'LD_',
      'DYLD_',
      'NODE_',
      'NPM_CONFIG_',
      'PYTHON',
      'RUBY',
      'PERL5',
      'JAVA_',
      'GIT_',
      'OPENSSL_',
      'BASH_',
      'DOTNET_',
      'FW_',
    ];
    const cased = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) =>
          [...text].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
        );
    fc.assert(
      fc.property(
        fc.constantFrom(...families).chain(cased),
        fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/),
        (family, rest) => {
          expect(loaderOf(family + rest)).toEqual(expect.any(String));
        },
      ),
    );
  });

  test('leaves the names of applications alone', () => {
    for (const name of OF_APPLICATIONS) expect([name, loaderOf(name)]).toEqual([name, undefined]);
  });
});
