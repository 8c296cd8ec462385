import { defineErrors } from '../../../kernel/index.js';

export const JWT_ERRORS = defineErrors('middleware/jwt', {
  FW_JWT_SECRET_MISSING: {
    message:
      'The JWT middleware needs `{option}`, a text: with an empty key anybody could sign tokens. Give at least 32 random bytes, e.g. from an environment variable.',
    cause: '`accessSecret` is missing or empty, or refresh tokens are enabled without `refreshSecret`.',
    remedy: 'Set the option; `openssl rand -hex 32` makes a key.',
    guide: 'authentication.md',
  },
  FW_JWT_SECRET_IS_KEY: {
    message:
      '`{option}` of the JWT middleware is a PEM or a JWK. As an HMAC key it is known to all who know the public key. Give it as `verifier.publicKey`.',
    cause: 'A key of a pair stands where a secret text is expected.',
    remedy: 'Use the option `verifier` of the plugin for tokens that somebody else signs.',
  },
  FW_JWT_VERIFIER: {
    message: 'The option `verifier` of the JWT middleware cannot be used: {problem}.',
    cause: 'Key, address and method do not fit together, or it stands beside a secret.',
    remedy:
      'Give `method` and either `publicKey` or `jwksUrl`, and neither `accessSecret`, `refreshSecret` nor refresh tokens.',
  },
  FW_JWT_SAME_SECRET: {
    message:
      '`refreshSecret` and `accessSecret` of the JWT middleware are the same. Give refresh tokens a key of their own.',
    cause: 'One key signs both kinds of tokens.',
    remedy: 'Make a second key.',
    guide: 'authentication.md',
  },
  FW_JWT_METHOD: {
    message: '"{method}" is not a signing method of the JWT middleware. Expected HS256, HS384 or HS512.',
    cause: '`signingMethod` names another algorithm.',
    remedy: 'Use HS256, HS384 or HS512.',
  },
  FW_JWT_PATTERN: {
    message: 'The pattern "{pattern}" in `{option}` of the JWT middleware would match nothing: {problem}.',
    cause: 'A pattern of paths is malformed.',
    remedy: 'Write /api/admin/** for everything below a path, and * for one segment.',
    guide: 'authentication.md#guards-of-routes',
  },
  FW_JWT_NO_STORE: {
    message: 'No JWT middleware of this process takes refresh tokens of this key, so nothing here knows their logins.',
    cause:
      'A refresh token was made or revoked in a process, or before the plugin was made, whose store could not be found.',
    remedy: 'Give the store that the middleware uses as the last argument.',
    guide: 'authentication.md#refresh-tokens',
  },
  FW_JWT_STORE_AWAY: {
    message: 'The store of refresh tokens cannot be reached.',
    status: 503,
    cause: 'Redis is away or slow. A login or logout of which the store has not heard has not happened.',
    remedy: 'Try again; the log says what Redis answers.',
    guide: 'authentication.md#refresh-tokens',
  },
  FW_JWT_LEEWAY: {
    message:
      '`refreshLeeway` of the JWT middleware is {leeway}. Expected a duration of at most 10s; 0 switches it off.',
    cause: 'Within the leeway a stolen refresh token is as good as the one of its user, so it is short.',
    remedy: 'Give 10s or less.',
  },
  FW_JWT_CONTEXT_KEY: {
    message: '`userContextKey` of the JWT middleware is {key}. Expected a text, and not __proto__.',
    cause: 'The claims are a property of ctx.state under that key.',
    remedy: 'Leave it out, or name a property such as user.',
  },
  FW_JWT_CLAIMS: {
    message: 'The option `claims` of the JWT middleware is no schema: {problem}.',
    cause: 'It is not a JSON Schema that can be compiled.',
    remedy: 'Give a schema of an object, such as Type.Object({ sub: Type.String() }).',
  },
  FW_JWT_DURATION: {
    message: 'A token cannot be valid for {duration}. Expected a duration longer than 0, such as 15m.',
    cause: 'generateJWT or generateRefreshToken got a duration that is not positive.',
    remedy: 'Give a duration such as 15m or 7d.',
  },
});
