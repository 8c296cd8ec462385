export { declarationsOf, type Pulled, type PulledModel } from './declarations.js';
export { pullModels, runDbPull, type DbPullCommand } from './cli.js';
