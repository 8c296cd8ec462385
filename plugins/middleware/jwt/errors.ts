import { defineErrors } from '../../../kernel/index.js';

export const JWT_ERRORS = defineErrors('middleware/jwt', {
  FW_JWT_SECRET_MISSING: {
    message:
      'The JWT middleware needs `{option}`, a text: with an empty key anybody could sign tokens. Give at least 32 random bytes, e.g. from an environment variable.',
    cause: '`accessSecret` is missing or empty, or refresh tokens are enabled without `refreshSecret`.',
    remedy: 'Set the option; `openssl rand -hex 32` makes a key.',
  },
  FW_JWT_SAME_SECRET: {
    message:
      '`refreshSecret` and `accessSecret` of the JWT middleware are the same. Give refresh tokens a key of their own.',
    cause: 'One key signs both kinds of tokens.',
    remedy: 'Make a second key.',
  },
  FW_JWT_METHOD: {
    message: '"{method}" is not a signing method of the JWT middleware. Expected HS256, HS384 or HS512.',
    cause: '`signingMethod` names another algorithm.',
    remedy: 'Use HS256, HS384 or HS512.',
  },
  FW_JWT_DURATION: {
    message: 'A token cannot be valid for {duration}. Expected a duration longer than 0, such as 15m.',
    cause: 'generateJWT or generateRefreshToken got a duration that is not positive.',
    remedy: 'Give a duration such as 15m or 7d.',
  },
});
