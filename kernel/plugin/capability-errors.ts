import { defineErrors } from '../errors/index.js';

export const CAPABILITY_ERRORS = defineErrors('kernel/plugin (tools)', {
  FW_TOOL_TWICE: {
    message: 'Both {first} and {second} contribute a tool named {name}. Tool names are unique: rename one.',
    cause: 'Two plugins contribute tools with the same name.',
    remedy: 'Rename one of the tools, or disable one of the plugins.',
  },
  FW_TOOL_CATEGORY: {
    message:
      'Tool {name} of {plugin} needs one of the eight tool categories, and it names {given}. Expected one of: {known}.',
    cause:
      'A token is granted categories, so each tool belongs to exactly one of the eight: that of its plugin, or the one that it names itself where its plugin is of another kind.',
    remedy: 'Give the plugin or the tool one of the eight categories.',
  },
  FW_TOOL_OTHER_CATEGORY: {
    message:
      'Tool {name} names the category "{category}", but its plugin {plugin} is of category "{own}", and the category of a tool plugin is the scope of its tools.',
    cause: 'A plugin of one of the eight tool categories contributes a tool that names another one.',
    remedy:
      'Leave the category of the tool out, move the tool to a plugin of its category, or make the plugin one of category app, whose tools name theirs.',
  },
});
