/** The part of jest's `--json` that is read. */
export interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
export function failedTests(results: JestResults, root: string): readonly string[];
export function missingNeeds(results: JestResults): readonly string[];
