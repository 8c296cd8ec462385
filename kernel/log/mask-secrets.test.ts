import { describe, expect, test } from '@jest/globals';
import { maskSecrets } from './mask-secrets.js';
import { MOST_LINEAR_MS, processorMs } from '../testing/processor-time.js';

describe('maskSecrets', () => {
  test.each([
    ['token=abc next', 'token=*** next'],
    ['{"password":"a b"}', '{"password":***}'],
    [String.raw`{"password":"a\"b","id":1}`, '{"password":***,"id":1}'],
    ["{ clientSecret: 'a b', id: 1 }", '{ clientSecret: ***, id: 1 }'],
    ['password="cut off', 'password=***'],
    ['x-api-key: k1, other=1', 'x-api-key: ***, other=1'],
    ['token: Bearer abc, other=1', 'token: ***, other=1'],
    ['Authorization: Bearer abc', 'Authorization: ***'],
    ['authorization: Digest username="ada", response="6629"\nHost: here', 'authorization: ***\nHost: here'],
    ['{"authorization":"Bearer abc","path":"/"}', '{"authorization":***,"path":"/"}'],
    ['authorization=Basic YTpi path=/', 'authorization=*** path=/'],
    ['Set-Cookie: a=1; b=2', 'Set-Cookie: ***'],
    ['cannot reach postgres://ada:p%40ss@db:5432/shop', 'cannot reach postgres://ada:***@db:5432/shop'],
    ['cannot reach postgres://ada:p@ss@db:5432/shop', 'cannot reach postgres://ada:***@db:5432/shop'],
    ['refused: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln, it has expired', 'refused: ***, it has expired'],
    ['AccountKey=YWJj;SharedAccessKey=ZGVm passcode: 1234', 'AccountKey=***;SharedAccessKey=*** passcode: ***'],
    ['see http://here:80/a@b and me@here', 'see http://here:80/a@b and me@here'],
    ['pwd=abc;dsn=abc', 'pwd=***;dsn=***'],
    ['sessionId=abc token_file=/run/token', 'sessionId=*** token_file=/run/token'],
    ['db: postgres://ada:p/a?s#s@db/shop', 'db: postgres://ada:***@db/shop'],
    ['-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----\nnext', '***\nnext'],
    ['nothing to hide', 'nothing to hide'],
  ])('%p becomes %p', (text, expected) => {
    expect(maskSecrets(text)).toBe(expected);
  });

  test('puts in what it is told to, to the letter', () => {
    expect(maskSecrets('token=abc', '$1')).toBe('token=$1');
  });
});

test.each([
  'a',
  'a-',
  'eyJ-',
  'a.eyJ',
  'a://x:',
  'a://x:@',
  'a=',
  'token=" ',
  "a='",
  'token ',
  'cookie:',
  '-----BEGIN ',
])('a long text of %j is looked through at once', (part) => {
  const took = processorMs(() => {
    expect(maskSecrets(`${part.repeat(300_000 / part.length)}\nend`)).toMatch(/\nend$/);
  });
  expect(took).toBeLessThan(MOST_LINEAR_MS);
});
