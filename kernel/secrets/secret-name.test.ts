import { describe, expect, test } from '@jest/globals';
import { declareSecret } from '../contracts/index.js';
import { isSecretMember, isSecretName } from './secret-name.js';

describe('a name', () => {
  test.each([
    ...[
      'accessToken',
      'DB_PASSWORD',
      'dbPwd',
      'passphrase',
      'passcode',
      'SECRET_KEY',
      'x-api-key',
      'api.key',
      'accountKey',
    ],
    ...['cookie', 'proxy-authorization', 'signature', 'sessionId', 'connectionString', 'sentryDsn', 'password-hash'],
  ])('%s is that of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(isSecretMember(name)).toBe(true);
  });

  test.each(['id', 'path', 'passage', 'author', 'keyboard', 'tokenLookup', 'secretEnv', 'cookieName', 'token_file'])(
    '%s is not',
    (name) => {
      expect(isSecretName(name)).toBe(false);
      expect(isSecretMember(name)).toBe(false);
    },
  );

  test('of recorded data is that of a secret where the application says so', () => {
    declareSecret('recoveryWord');
    expect([isSecretMember('recovery_word'), isSecretName('recovery_word')]).toEqual([true, false]);
  });
});
