export { contributionError, loadContribution, loadFunction } from './load-contribution.js';
export { MANIFEST_ERRORS } from './errors.js';
export { goOnWith } from './follow-up.js';
export type { CheckManifest, CommandManifest, Contributor, Manifest, RoomManifest } from './manifest.js';
export { type ManifestProblem, packageManifestProblems } from './manifest-problems.js';
export { packageManifests, type ProjectPackages } from './packages.js';
export { roomManifests } from './rooms.js';
