import { defineErrors } from '../errors/index.js';

export const BUILD_ERRORS = defineErrors('kernel/build', {
  FW_BUILD_FAILED: {
    message: 'The application does not build; dist/ is as it was.\n{problems}',
    cause:
      'A file that app.config.ts reaches does not parse, imports a file that is not there, or uses an export that the other file does not have.',
    remedy: 'Mend the file that is named. When it is one of generated/, run `{fw} codegen` first.',
  },
  FW_BUILD_NOTHING: {
    message: 'There is nothing to build in {root}: neither app.config.ts nor a TypeScript file below it.',
    cause: '`fw build` was called outside of a project, or `--include` matches no file.',
    remedy: 'Go to the root of a project.',
  },
  FW_BUILD_OUTSIDE: {
    message: 'Only files below the folder of app.config.ts are built; dist/ is as it was.\n{problems}',
    cause:
      'A file of the project imports one that stands outside of it, by a relative path or by `paths` of tsconfig.json. What is compiled keeps the places of its sources below dist/, and there is none for such a file.',
    remedy:
      'Move the file into the project; or make what is shared a package of the workspace, and import it by its name.',
  },
  FW_BUILD_IMPORTS: {
    message: 'Node could not follow what the compiler follows; dist/ is as it was.\n{problems}',
    cause:
      'A file imports by a #name that only tsconfig.json knows, or that package.json sends to a source. Such names stay in the output, where Node looks them up in package.json.',
    remedy:
      'Import by a relative path, or by a name of "imports" in package.json whose "types" is the source and whose "default" is the output: { "#app/*": { "types": "./app/*", "default": "./dist/app/*" } }.',
  },
  FW_BUILD_TYPES: {
    message:
      'The application has type errors; dist/ is as it was. Mend them, or build without a check: `{fw} build --no-check`.\n{problems}',
    cause: 'TypeScript finds errors in the files that are built, or in those that they import.',
    remedy:
      'Mend the files that are named; run `{fw} codegen` first when they are about generated/. `--no-check` leaves the check out.',
  },
  FW_BUILD_BUNDLE: {
    message: 'The bundle would lack what the application needs; the one of dist/bundle is as it was.\n{problems}',
    cause:
      'A module is imported that is not installed, or one is loaded by a name that cannot be seen in the code, so that it was not taken along. The bundle was tried out in an empty folder, where nothing else is installed.',
    remedy:
      'Install what is missing. What is loaded or read by a name that is put together at run time is declared in package.json, of the project or of the package that does it: "fw": { "runtime": ["name-of-a-package", "./templates/**"] }.',
    guide: 'run-in-production.md#one-folder-that-node-alone-serves',
  },
  FW_BUILD_NO_TYPESCRIPT: {
    message:
      'The types cannot be checked: {problem}. Install it with `npm install --save-dev typescript`, or build without a check: `{fw} build --no-check`.',
    cause:
      'The project has a tsconfig.json, and no TypeScript compiler is installed in it or above it, or it did not run.',
    remedy: 'Install typescript in the project, or give `--no-check` where types are checked elsewhere.',
  },
});
