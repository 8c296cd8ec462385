export { isOwnCommand, ownCommands } from './brought-commands.js';
export { serve } from './serve.js';
