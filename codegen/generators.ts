import type { Generator } from './engine/generator.js';
import { referenceGenerator } from './llms/reference-generator.js';
import { modelGenerator } from './orm/index.js';
import { routesGenerator } from './routes/routes-generator.js';
import { validatorsGenerator } from './validators/validators-generator.js';

/** The framework's generators, in the order in which they run: later ones may import what earlier ones made. */
export function builtInGenerators(): readonly Generator[] {
  return [modelGenerator, routesGenerator, validatorsGenerator, referenceGenerator];
}
