import { describe, expect, test } from '@jest/globals';
import { cleanEnvironment } from './clean-environment.js';

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
