export { contributionError, type Contribution, loadContribution, loadFunction } from './load-contribution.js';
export { MANIFEST_ERRORS } from './errors.js';
export { goOnWith } from './follow-up.js';
export type {
  ArgumentManifest,
  CheckManifest,
  CommandManifest,
  Contributor,
  Manifest,
  OptionManifest,
  RoomManifest,
} from './manifest.js';
export { type ManifestProblem, packageManifestProblems, roomManifestProblems } from './manifest-problems.js';
export { packageManifests, type ProjectPackages } from './packages.js';
export { roomManifests } from './rooms.js';
