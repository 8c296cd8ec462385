import { Type } from 'typebox';
import { type Duration, DurationSchema, type OptionsInput, LONGEST_TIMER } from '../../../kernel/index.js';

const PEM = 'PEM text, or the path of its file from the folder of app.config.ts';

/** Default interval for checking the files of a certificate. */
export const DEFAULT_RELOAD: Duration = '10s';

export const tlsOptionsSchema = Type.Object(
  {
    cert: Type.String({ minLength: 1, description: `Certificate with the chain behind it: ${PEM}` }),
    key: Type.String({ minLength: 1, secret: true, description: `Its private key: ${PEM}` }),
    passphrase: Type.Optional(Type.String({ secret: true, description: 'Of an encrypted key' })),
    clientCa: Type.Optional(
      Type.String({
        minLength: 1,
        description: `Authorities for clients, each of which must show a certificate of one of them: ${PEM}. Default: clients need none`,
      }),
    ),
    minVersion: Type.Optional(
      Type.Union([Type.Literal('TLSv1.2'), Type.Literal('TLSv1.3')], {
        description: 'The oldest protocol that is spoken; default what Node has, TLSv1.2',
      }),
    ),
    reload: Type.Optional(
      DurationSchema({
        description: `How often the files are looked at: what changed holds for the connections that follow. Default ${DEFAULT_RELOAD}, 0 for never`,
        most: LONGEST_TIMER,
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Serves https with this certificate, and no plain http: that is left to a proxy',
  },
);

/** The option `tls` of the http plugin. */
export type TlsOptions = OptionsInput<typeof tlsOptionsSchema>;
