export { isOwnCommand, ownCommands, type BroughtCommand } from './brought-commands.js';
export { serve, type ServeOptions } from './serve.js';
