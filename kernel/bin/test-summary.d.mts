/** The part of jest's `--json` that is read. */
export interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
export function failedTests(results: JestResults, root: string): readonly string[];
export function slowestFiles(results: JestResults, root: string, most: number): readonly string[];
export function missingNeeds(results: JestResults): readonly string[];
