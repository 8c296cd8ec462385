/** One test file that proves a requirement, and the change to the product with which the test failed once. */
export interface Proof {
  /** Path of the test file from the root of the repository, with forward slashes: `plugins/middleware/cors/cors.test.ts`. */
  readonly test: string;
  /** The change to the product with which the test failed once: `answered 200 instead of 429`. */
  readonly mutation: string;
}

interface Statement {
  /** Stable name, cited by test titles in square brackets: `<PART>-<TOPIC>-<nn>` in capitals, digits and dashes. */
  readonly id: string;
  /** The heading of the specification under which the statement stands, one of `SPEC_SECTIONS`. */
  readonly section: string;
  /** The statement in one plain sentence, with its exact literals: names, numbers, headers. */
  readonly says: string;
}

/**
 * One statement of the specification about what the product does. It is `planned` until a test proves it; a `proven` row
 * lists every test file whose titles cite it, and nothing else.
 */
export type Requirement =
  | (Statement & { readonly status: 'planned' })
  | (Statement & { readonly status: 'proven'; readonly proofs: readonly Proof[] });
