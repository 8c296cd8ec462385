/**
 * Tools of category provisioning: services and fleets in containers.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { checkArguments } from './runtime/argument-check.js';
export { DOCKER_FIELDS, readDockerObject, type DockerSettings } from './request/docker-object.js';
