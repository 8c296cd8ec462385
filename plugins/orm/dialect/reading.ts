/** A column that no statement shall see: private, or taken from clients alone. */
export interface HiddenColumn {
  /** As the model declares it. */
  readonly table: string;
  readonly column: string;
}

/** A statement that nobody has looked at: the database itself refuses what does not read, or reads what is hidden. */
export interface ReadRequest {
  /** One statement. */
  readonly sql: string;
  /** Rows to give at most; one more is looked for, to tell that there are more. */
  readonly maxRows: number;
  /** Milliseconds that the database works on it. */
  readonly timeoutMs: number;
  readonly hidden: readonly HiddenColumn[];
  /** Address with a login that only reads, where there is one; default the application's own. */
  readonly login?: string | undefined;
}

/** What a statement gave. */
export interface ReadRows {
  readonly columns: readonly string[];
  /** Values as the driver has them; what JSON does not know is the database's own text. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** Tables that a login shall read, and of those with hidden columns the others. */
export interface ReadableTable {
  readonly name: string;
  readonly columns?: readonly string[] | undefined;
}

/** A login that only reads, to be made. */
export interface ReaderRequest {
  readonly tables: readonly ReadableTable[];
  readonly password: string;
}

/** How a login that only reads is made. */
export interface ReaderSetup {
  /** Statements for who may make logins; they can be run again, and then say what is readable anew. */
  readonly statements: readonly string[];
  /** The address with the new login. */
  readonly login: string;
}
