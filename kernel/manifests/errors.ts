import { defineErrors } from '../errors/index.js';

export const MANIFEST_ERRORS = defineErrors('kernel/manifests', {
  FW_MANIFEST_WRONG: {
    message: '{owner} has a wrong manifest, in {file}: {problem}',
    cause: 'The field "fw" of a package.json has a name or a value that is not known, or the file cannot be read.',
    remedy:
      'Correct the fields that are named; docs/guides/write-a-plugin.md lists all of them. Of an installed package, install a release in which it is right, or tell its author.',
    guide: 'write-a-plugin.md',
  },
  FW_MANIFEST_CLASH: {
    message: 'Both {first} and {second} bring the command "fw {command}" ({field} of {file}).',
    cause: 'Two packages of the project have a command of the same name, or one has a name that fw itself uses.',
    remedy: 'Rename the command that is yours; else remove one of the two packages from package.json.',
  },
  FW_MANIFEST_MODULE: {
    message: '{owner} cannot run "{field}" of {file}, which is {module}: {problem}.',
    cause:
      'The module that a manifest names is not in the package, fails while it is loaded, does not export a function by default, or a command returned what is no exit code.',
    remedy:
      'Export the command by default: `export default ({ args, options, out }) => { ... }`, and see that the file is published. `{fw} plugin check` finds this before users do.',
    guide: 'write-a-plugin.md',
  },
});
