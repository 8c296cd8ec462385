/**
 * Tools of category introspection.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { ENVIRONMENT_FILE, environmentDefaults } from './environment-defaults.js';
export { FEATURES, findFeature, type Feature, type FeatureFlag } from './feature-catalogue.js';
export {
  readProject,
  type InstalledFeature,
  type ProjectFacts,
  type ProjectModel,
  type ProjectRoute,
} from './read-project.js';
