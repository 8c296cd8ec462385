import { clientSchematic } from './client/index.js';
import { eventSchematic } from './event/index.js';
import type { Schematic } from './engine/schematic.js';
import { handlerSchematic } from './handler/index.js';
import { jobSchematic } from './job/index.js';
import { listenerSchematic } from './listener/index.js';
import { middlewareSchematic } from './middleware/index.js';
import { migrationSchematic } from './migration/index.js';
import { modelSchematic } from './model/index.js';
import { pluginSchematic } from './plugin/index.js';
import { resourceSchematic } from './resource/index.js';
import { toolSchematic } from './tool/index.js';
import { wsSchematic } from './ws/index.js';

/** Every kind of `fw generate`, by name. */
export const SCHEMATICS: readonly Schematic[] = [
  clientSchematic,
  eventSchematic,
  handlerSchematic,
  jobSchematic,
  listenerSchematic,
  middlewareSchematic,
  migrationSchematic,
  modelSchematic,
  pluginSchematic,
  resourceSchematic,
  toolSchematic,
  wsSchematic,
];

/** Kinds of other toolchains that fw does not have. */
export const REFUSED_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    workflow: 'Workflows are not part of the framework; a job or an event with listeners may do. ',
    view: 'Views are not part of the framework: it serves JSON and files. ',
    grpc: 'gRPC is not part of the framework. ',
  }),
);
