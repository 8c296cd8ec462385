const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Line terminators of TypeScript, and control characters that terminals or editors interpret.
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';
const TO_ESCAPE = new RegExp(`[\\\\'${CONTROL}]`, 'g');
const CONTROLS = new RegExp(`[${CONTROL}]`, 'g');

/** A text as TypeScript writes it, on one line and in single quotes. */
export const stringLiteral = (text: string): string => `'${text.replace(TO_ESCAPE, (each) => escaped(each))}'`;

/** A text that holds names or SQL of a database, as one line for a terminal or a comment. */
export const onOneLine = (text: string): string => text.replace(CONTROLS, (each) => escaped(each));

const escaped = (letter: string): string =>
  ESCAPES[letter] ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
