// Only what needs no parser: commands and tools read the registry without loading one.
export { parseRouteRegistry, readRouteRegistry, REGISTRY_FILE, type RouteRegistry } from './registry.js';
export { REGISTRATION, type JsonSchema, type RouteEntry, type ShapeEntry, type UnresolvedNote } from './route-entry.js';
