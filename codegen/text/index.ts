export { RESERVED_WORDS } from './reserved-words.js';
export { textWidth } from './text-width.js';
export { assignmentText, importText, optionalMemberText, unionText } from './written-lines.js';
export { Code, LINE_WIDTH, quotedText, writtenJson, writtenValue } from './written-value.js';
export { typeAliasText, writtenType } from './written-type.js';
