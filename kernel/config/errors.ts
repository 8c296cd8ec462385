import { defineErrors } from '../errors/index.js';

export const CONFIG_ERRORS = defineErrors('kernel/config', {
  FW_CONFIG_DURATION: {
    message:
      '"{value}" is not a duration. Write milliseconds as a number, or a number with a unit: 500ms, 10s, 1m, 2h, 7d.',
    cause: 'A duration option has a unit that is not known, or none.',
    remedy: 'Use ms, s, m, h or d.',
  },
  FW_CONFIG_NOT_FOUND: {
    message:
      'No configuration at {path}. Expected a file that default-exports defineApp({ ... }): write it with `{fw} build` where there is an app.config.ts, or name another one with --config.',
    cause: 'The command ran in a folder without app.config.ts, or before the project was built.',
    remedy: 'Run the command in the project folder, build first, or pass --config <file>.',
  },
  FW_CONFIG_TYPESCRIPT: {
    message:
      '{path} is TypeScript, which Node 20 does not run. Run `{fw} build` and name what it writes: --config {built}.',
    cause: 'A .ts file was given where a JavaScript module is loaded.',
    remedy: 'Build first: `{fw} build` writes dist/app.config.js.',
  },
  FW_CONFIG_NOT_AN_APP: {
    message: '{path} must default-export defineApp({ ... }), but its default export is {found}.',
    cause: 'The configuration file exports something else, or exports by name only.',
    remedy: 'Write `export default defineApp({ name, plugins: [ ... ] })`.',
  },
  FW_CONFIG_PROFILE: {
    message: 'Profile "{profile}" is not known. Expected one of: {known}.',
    cause: 'FW_PROFILE, --profile or bootApp({ profile }) names a profile that does not exist.',
    remedy: 'Use dev, test or prod.',
    guide: 'configuration.md#profiles',
  },
  FW_CONFIG_ENV_FILE: {
    message: '{file} {problem}.',
    cause:
      'A .env file is not what a list of variables looks like, cannot be read, or sets a variable that decides before it is read: FW_PROFILE, NODE_ENV, NODE_OPTIONS.',
    remedy: 'Write NAME=value, one on a line; give the variables that are named here to the command itself.',
    guide: 'configuration.md#env-files',
  },
  FW_CONFIG_ENV_FILE_NAME: {
    message: '{file} is not read: the file of this profile is called {expected}.',
    cause: 'Other tools say development and production where the profiles here are dev and prod.',
    remedy: 'Rename the file, unless it belongs to another tool.',
    guide: 'configuration.md#env-files',
  },
  FW_CONFIG_ENV_UNREAD: {
    message:
      'The .env files set {name}, which the application does not declare, and not {meant}, which it does. Did you mean "{meant}"?',
    cause:
      'A .env file names a variable almost as the application does, so that what the application reads has its default.',
    remedy: 'Correct the name; a variable of that name that is meant can be declared with defineEnvironment.',
    guide: 'configuration.md#variables-that-are-checked',
  },
  FW_CONFIG_ENVIRONMENT: {
    message: 'The environment of profile {profile} is not what the application needs ({files}):{problems}',
    cause: 'Variables that `defineEnvironment` names are not set, are empty, or have values that their schemas refuse.',
    remedy:
      'Set them where the application is started, or write them into a .env file: all that is wrong is named at once.',
    guide: 'configuration.md#variables-that-are-checked',
  },
  FW_CONFIG_ENVIRONMENT_SCHEMA: {
    message: 'defineEnvironment cannot read {name}: {problem}.',
    cause: 'A variable of the environment is text, and its schema asks for something that no text says.',
    remedy:
      'Use Type.String, Type.Integer, Type.Number, Type.Boolean, an enum or union of literals, or Type.Array of those, which is written as a,b,c.',
  },
  FW_CONFIG_PLUGIN_ENTRY: {
    message:
      "The entry {place} is {found}; expected plugin(() => import('fw/http'), options). One that is made already is listed as plugin(() => Promise.resolve(made), options).",
    cause: 'A plugin, a path or an import stands in the list where `plugin` with a function belongs.',
    remedy: 'Give `plugin` a function: it is called only where the profile enables the entry.',
  },
  FW_CONFIG_PLUGIN_IMPORT: {
    message: 'The plugin {place} ({specifier}) could not be imported: {reason}',
    cause: 'The package or file is not installed, is misspelt, or throws while it is loaded.',
    remedy: 'Check the import path of the entry; install the package; the cause is attached to the error.',
  },
  FW_CONFIG_NOT_A_PLUGIN: {
    message:
      'The entry {place} ({specifier}) gives {found}, not a plugin. Its module must default-export definePlugin({ ... }); for a named export write plugin(() => import(...).then((module) => module.name)).',
    cause: 'The module has no default export, or it is not made by definePlugin.',
    remedy: 'Export a plugin by default, or pick the named export in the loader.',
  },
  FW_CONFIG_PLUGIN_TWICE: {
    message: 'Plugin {id} is listed twice in app.config.ts, at positions {first} and {second}. Keep one entry.',
    cause: 'Two entries of the plugin list load the same plugin.',
    remedy: 'Delete one entry; use profiles to vary options.',
  },
  FW_CONFIG_OPTIONS: {
    message: 'Options of plugin {plugin} in app.config.ts are wrong: {problems}',
    cause: 'An option is misspelt, missing or of the wrong type.',
    remedy: "Correct the options that the message names; docs/reference/options.md lists each plugin's options.",
  },
});
