import { defineErrors } from '../../kernel/errors/index.js';

export const SCHEMATICS_ERRORS = defineErrors('codegen/schematics', {
  FW_SCHEMATIC_KIND: {
    message: 'There is no generator for "{kind}". {reason}Kinds: {known}.',
    status: 404,
    cause: 'fw generate was called with a kind that it does not know, or that the framework does not have.',
    remedy: 'Choose one of the kinds that the message lists.',
  },
  FW_SCHEMATIC_NAME: {
    message: 'The name "{name}" cannot be used: expected {expected}.',
    status: 422,
    cause: 'Names become classes, files and paths, so they must be identifiers.',
    remedy: 'Choose a name like the one that the message shows.',
  },
  FW_SCHEMATIC_FIELD: {
    message: 'The field "{field}" cannot be read: {problem}. Expected name:type or name:type:rules, e.g. {example}.',
    status: 422,
    cause: 'A field argument of fw generate has another form, an unknown type or an unknown rule.',
    remedy: 'Correct the field as the message says.',
  },
  FW_SCHEMATIC_FLAG: {
    message: '{flag} of {what}: {problem}.',
    status: 422,
    cause: 'A flag is not known to the generator or feature, or its value has the wrong form.',
    remedy: 'Leave the flag out, or give it a value of the form that the message names.',
  },
  FW_SCHEMATIC_FIELDS: {
    message: 'Kind {kind} takes no fields, but got: {fields}.',
    status: 422,
    cause: 'Only model, resource and event are described by fields.',
    remedy: 'Leave the fields out.',
  },
  FW_SCHEMATIC_NO_PROJECT: {
    message:
      'There is no {file} in {root}. Expected the root of a project that `{fw} new` or the tool fw_new made: go there, or make one.',
    status: 404,
    cause: 'The folder is not the root of a project.',
    remedy: 'Run the command in the project root, or pass its path.',
  },
  FW_SCHEMATIC_EXISTS: {
    message: '{file} exists already and {owner}. {remedy}',
    status: 409,
    cause: 'A generator would overwrite a file that may have been edited.',
    remedy: 'Do what the message says: --force, another name, or move the file.',
  },
  FW_SCHEMATIC_EDITED: {
    message:
      'The block "{block}" in {file} was edited by hand: its content does not fit its checksum. Move your edits out of the markers, or repeat with force to write it anew.',
    status: 409,
    cause: 'Blocks between fw: markers are written by the framework; an edit would be lost.',
    remedy: 'Put the edit outside the block, or use force.',
  },
  FW_SCHEMATIC_BLOCK: {
    message: 'There is no block "{block}" in {file}. Expected the lines `// fw:block:{block}:start` and `:end` in it.',
    status: 422,
    cause: 'The markers of a generated block were removed.',
    remedy: 'Restore the file from version control, or delete it and generate again.',
  },
  FW_SCHEMATIC_CONFIG: {
    message: '{file} cannot be edited: {problem}. Expected `export default defineApp({ ..., plugins: [ ... ] })`.',
    status: 422,
    cause: 'The configuration has another form than the one that can be edited automatically.',
    remedy: 'Write the list of plugins as an array literal, or add the entry by hand.',
  },
  FW_SCHEMATIC_SYNTAX: {
    message: 'What was to be written to {file} is not TypeScript: {problem}. Nothing was written.',
    cause: 'A name or value led to source text that does not parse; this is a mistake of the generator.',
    remedy: 'Report it with the arguments of the call.',
  },
  FW_SCHEMATIC_NEEDS: {
    message: '{what} needs {needed} in app.config.ts. Run `{fw} add {feature}` first (tool: fw_add).',
    status: 409,
    cause: 'The generated code would not start without that plugin.',
    remedy: 'Add the feature that the message names.',
  },
  FW_SCHEMATIC_FEATURE: {
    message: 'There is no feature "{name}". {hint}Features: {known}.',
    status: 404,
    cause: 'fw add was called with a name that is neither a feature nor an alias of one.',
    remedy: 'Choose one of the features that the message lists.',
  },
  FW_SCHEMATIC_FEATURE_DIFFERS: {
    message:
      'app.config.ts lists {plugin} already, with other options. Change them there, or repeat with force to write: {entry}',
    status: 409,
    cause: 'The feature is installed, and its options may have been chosen by a person.',
    remedy: 'Edit app.config.ts, or use force.',
  },
  FW_SCHEMATIC_TARGET: {
    message: '{path} exists already. Expected a name that is free: choose another one, or remove what is there.',
    status: 409,
    cause: 'fw new makes a folder of its own and never writes into an existing one.',
    remedy: 'Choose another name or another folder.',
  },
  FW_SCHEMATIC_PACK: {
    message:
      'The framework cannot be packed for the project: {problem}. Expected a tarball from `npm pack` in {folder}.',
    cause: 'A new project depends on a packed copy of the framework, and making that copy failed.',
    remedy: 'Run `npm pack` in the folder that the message names, and read what it says.',
  },
  FW_UPGRADE_NOT_VENDORED: {
    message:
      'package.json {from}. Expected `"fw": "file:vendor/fw-<version>.tgz"` among its dependencies, as `{fw} new` writes it.',
    status: 409,
    cause: 'fw upgrade exchanges the tarball that a project keeps; this project takes the framework from elsewhere.',
    remedy: 'Upgrade with what installs it, such as npm, then run `{fw} codegen`.',
    guide: 'upgrade.md',
  },
  FW_UPGRADE_TARBALL: {
    message: '{file} is no package of fw: {problem}. Expected what `npm pack` makes of it, such as fw-0.2.0.tgz.',
    status: 422,
    cause: 'fw upgrade was given a file that it cannot take the framework from.',
    remedy: 'Give it the path of a tarball of fw, or run the fw of the newer release without one.',
    guide: 'upgrade.md',
  },
  FW_UPGRADE_INSTALL: {
    message: 'npm install failed, and every file is as it was before: {problem}.',
    status: 500,
    cause: 'What the upgraded package.json names could not be installed.',
    remedy: 'Mend what npm says, then upgrade again.',
  },
});
