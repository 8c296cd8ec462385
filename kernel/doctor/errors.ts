import { defineErrors } from '../errors/index.js';

/** Findings of `fw doctor` that this room brings; those that are good have a code as well. */
export const DOCTOR_ERRORS = defineErrors('kernel/doctor', {
  FW_DOCTOR_NODE: {
    message: 'Node {version}: {problem}',
    cause: 'fw, or `engines` of package.json, does not take this release of Node.',
    remedy: 'Install one that both take; the current release is the best.',
  },
  FW_DOCTOR_NPM: {
    message: 'npm: {problem}',
    cause: 'npm is not on PATH, or does not run.',
    remedy: 'Install the npm that comes with Node.',
  },
  FW_DOCTOR_FRAMEWORK: {
    message: 'fw {version}: {problem}',
    cause: 'The fw that runs is not the one that the project has installed.',
    remedy: 'Run `{fw}` in the project, or `npm ci` first.',
  },
  FW_DOCTOR_TYPESCRIPT: {
    message: 'TypeScript: {problem}',
    cause: 'No TypeScript is installed in the project or above it.',
    remedy: 'Run `npm install` where types are to be checked; where the application only runs, none is needed.',
  },
  FW_DOCTOR_NO_PACKAGE: {
    message: 'There is no package.json in {root}.',
    cause: 'The folder is not the root of a project.',
    remedy: 'Go to the root of a project, or make one with `{fw} new`.',
  },
  FW_DOCTOR_NOT_INSTALLED: {
    message: '{missing} are not installed',
    cause: 'package.json names packages that node_modules lacks.',
    remedy: 'Run `npm ci`, or `npm install` where there is no lock file.',
  },
  FW_DOCTOR_PACKAGES: {
    message: 'what package.json names is installed',
    cause: 'Nothing is wrong.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_INTERRUPTED: {
    message: '{command} was interrupted while it wrote',
    cause: 'A command was killed between two files, and left a record of what it was about.',
    remedy: 'Run any command that writes: it goes on, or puts everything back.',
  },
  FW_DOCTOR_WRITES: {
    message: 'no write was interrupted',
    cause: 'Nothing is wrong.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_ENVIRONMENT: {
    message: 'profile {profile}, {files}',
    cause:
      'Nothing is wrong. A variable that is missing or wrong is FW_CONFIG_ENVIRONMENT, a `.env` file that cannot be read FW_CONFIG_ENV_FILE.',
    remedy: 'Nothing to do.',
  },
  FW_DOCTOR_BUILD: {
    message: '{stale} changed since dist/ was built',
    cause: 'Checks, and `fw start`, look at dist/ and not at the sources.',
    remedy: 'Run `{fw} codegen && {fw} build`, as `npm start` does.',
  },
  FW_DOCTOR_NO_CONFIG: {
    message: 'There is no app.config.ts in {root}.',
    cause: 'The folder is not a project of fw.',
    remedy: 'Go to the root of a project, or make one with `{fw} new`.',
  },
  FW_DOCTOR_CONFIG: {
    message: 'the configuration does not load: {problem}',
    cause: 'app.config.ts, or a module that it imports, throws while it is loaded.',
    remedy: 'Correct what the finding names, and build.',
  },
  FW_DOCTOR_PLUGIN: {
    message: 'a plugin cannot be registered: {problem}',
    cause: 'The module of a plugin does not load, or its options or capabilities do not fit.',
    remedy: 'Correct what the finding names.',
  },
  FW_DOCTOR_PORT: {
    message: '{host}:{port}: {problem}',
    cause: 'The address is free, or cannot be listened at.',
    remedy: 'Nothing where it is free; else name an address of this machine, or a port that the user may open.',
  },
  FW_DOCTOR_PORT_TAKEN: {
    message: '{host}:{port} is taken',
    cause: 'Another process listens there: perhaps this application, started elsewhere.',
    remedy: 'End the process that the finding names, or set another port.',
  },
  FW_DOCTOR_DISK: {
    message: '{free} are free on the disk of the project',
    cause: 'Builds, logs and an embedded database need room.',
    remedy: 'Make room.',
  },
  FW_DOCTOR_TIMEOUT: {
    message: 'the check {check} took too long',
    cause: 'A server does not answer, or a file system hangs.',
    remedy: 'See what the check asks; `{fw} doctor --only {check}` runs it alone.',
  },
  FW_DOCTOR_FAILED: {
    message: 'the check failed itself: {problem}',
    cause: 'A check threw something that has no code.',
    remedy: 'Report it with the message, where it is a check of fw.',
  },
});
