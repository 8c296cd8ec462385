export { declarationsOf, type Pulled, type PulledModel } from './declarations.js';
export { MIGRATION_NOTES, pullModels, runDbPull, type DbPullCommand } from './cli.js';
