/** Where the paths of tool arguments may lead. */
export interface PathPolicy {
  /** Default of path arguments, and base of relative paths; absolute and resolved. */
  readonly workspace: string;
  /** Permitted roots as the operator wrote them; undefined when paths are not confined. */
  readonly roots: readonly string[] | undefined;
  /**
   * The path to use for I/O: absolute, links resolved, inside a root. It need not exist (SPEC "Path confinement rules").
   * @throws FwError with a code `FW_PATH_...` when it leads elsewhere
   */
  confine(path: string): Promise<string>;
}
