import type { Plugin } from '../../kernel/plugin/index.js';
import { TABLE, validatorTable } from './validator-table.js';

/**
 * Validators for the options of plugins, as the text of an ES module that exports `validators` for `registerPrecompiled`.
 * A step of the framework's build, so that no start of an application compiles the schemas of built-in plugins.
 *
 * @throws FwError `FW_CODEGEN_SCHEMA`
 */
export default function emitOptionValidators(plugins: readonly Plugin[]): string {
  const requests = plugins.flatMap(({ manifest: { id, options } }) =>
    options ? [{ schema: options, subject: `the options of plugin ${id}` }] : [],
  );
  // Each validator is made on first read, because an application uses only some of the plugins.
  return `${validatorTable(requests, 'read').code}export const validators = ${TABLE};\n`;
}
