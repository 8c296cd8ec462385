import { greet } from '../greet.js';

// `fw greet <name>`: package.json says what it takes, and what its help says.
/** @type {import('fw').CommandAction<{ greeting: string, json?: boolean }, [name: string]>} */
const command = ({ args: [name], options: { greeting, json }, out }) => {
  const text = greet(greeting, name);
  out(json ? `${JSON.stringify({ text })}\n` : `${text}\n`);
};

export default command;
