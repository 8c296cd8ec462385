export { declarationsOf, type Pulled, type PulledModel } from './declarations.js';
export { runDbPull, type DbPullCommand } from './cli.js';
