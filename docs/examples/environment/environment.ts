import { defineEnvironment, Type, withDefault } from 'fw';

/** What the application takes from its environment. */
export const env = defineEnvironment({
  DATABASE_URL: Type.String({ description: 'Address of the database' }),
  JWT_SECRET: Type.String({ minLength: 32, description: 'Signs the tokens' }),
  PORT: withDefault(Type.Integer({ minimum: 0, maximum: 65535 }), 3000),
  ORIGINS: withDefault(Type.Array(Type.String({ format: 'uri' })), []),
  MAIL_FROM: Type.Optional(Type.String({ format: 'email' })),
});
