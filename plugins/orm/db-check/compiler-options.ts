/** The compiler's options of a project of nothing but pulled models, as a tsconfig.json has them. */
export const PULLED_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  useDefineForClassFields: false,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
} as const;
