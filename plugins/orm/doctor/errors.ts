import { defineErrors } from '../../../kernel/errors/index.js';

/** Findings of `fw doctor` that this room brings; those that are good have a code as well. */
export const DATABASE_FINDINGS = defineErrors('orm/doctor', {
  FW_DOCTOR_NO_DATABASE: {
    message: 'there is no file of the database {name} yet',
    cause: 'The application has not been started with it.',
    remedy: 'Start it, or run `{fw} migrate up`.',
  },
  FW_DOCTOR_DATABASE: {
    message: 'the database {name} answers',
    cause: 'Nothing is wrong; the finding says dialect, driver and version.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_NEWER: {
    message: 'the database {name} has migrations that this version does not know: {newer}',
    cause: 'A newer version of the application has run there, as in a rolling deploy or after going back.',
    remedy: 'Run the newer version, or roll its migrations back with it.',
  },
  FW_DOCTOR_MIGRATIONS: {
    message: 'every migration is applied to the database {name}',
    cause: 'Nothing is wrong.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_SCHEMA: {
    message: 'the database {name} is what the models say',
    cause: 'Nothing is wrong.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_DRIFT: {
    message: 'the database {name} is not what the models say: {drift}',
    cause: 'A model has changed since the tables were made, or somebody changed a table by hand.',
    remedy: 'Run `{fw} migrate diff --name <what-changes>`, then `{fw} migrate up`.',
  },
  FW_DOCTOR_DRIVER_UNUSED: {
    message: '{package} is installed, and no database is reached through it',
    cause: 'The project had another database before.',
    remedy: 'Remove it with `npm uninstall` if nothing else needs it.',
  },
  FW_DOCTOR_DRIVER: {
    message: '{package} {version}',
    cause: 'Nothing is wrong: its native code loads.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_NATIVE: {
    message: '{package} cannot be loaded by the Node that runs: {problem}',
    cause:
      'Its native code was compiled for another release of Node or another system, or its version is for other releases of Node.',
    remedy: 'Run the command that stands below it.',
  },
});
