import { Type } from 'typebox';
import { serverOptions } from '../dialect/index.js';

/** Options of the plugin `orm/mysql`. */
export const mysqlOptions = Type.Object({
  url: Type.String({
    description: 'Address of the server, e.g. mysql://user:password@host:3306/database.',
    secret: true,
  }),
  ...serverOptions.properties,
});
