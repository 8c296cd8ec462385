import { fwError } from '../../../../kernel/errors/index.js';
import type { PatternWatch } from '../../../../kernel/foreign-schema/index.js';
import { CONTRACT_ERRORS } from '../errors.js';
import { isObject } from '../../../../kernel/values/index.js';
import { OpenApiDocument } from './openapi-document.js';
import { mediaTypeProblem, problemsOf } from './payload-problems.js';
import type { Batch, BodyCheck, Outcome, Task } from './protocol.js';

/** Documents that are kept parsed, with their compiled schemas. */
const MAX_PARSED = 32;

/** Runs tasks in the thread. Documents are identified by their numbers. */
export class CheckTasks {
  readonly #texts = new Map<number, SharedArrayBuffer>();
  /** In the order of their last use. */
  readonly #parsed = new Map<number, OpenApiDocument>();

  constructor(private readonly patterns?: PatternWatch) {}

  /** @param begin - called before each task */
  run({ documents, gone, tasks }: Batch, begin: () => void): readonly Outcome[] {
    for (const number of gone) {
      this.#texts.delete(number);
      this.#parsed.delete(number);
    }
    for (const [number, text] of documents) this.#texts.set(number, text);
    return tasks.map((task) => {
      begin();
      return this.#outcomeOf(task);
    });
  }

  #outcomeOf(task: Task): Outcome {
    try {
      return 'read' in task ? { operations: this.#document(task.read).operations } : this.#check(task);
    } catch (error) {
      return { failure: error instanceof Error ? error.message.slice(0, 200) : String(error) };
    }
  }

  #check(task: BodyCheck): Outcome {
    const contract = this.#document(task.document).contract(task);
    if (contract === undefined) return { problems: [] };
    if ('mediaTypes' in contract) return { problems: [mediaTypeProblem(contract.mediaTypes, task.mediaType)] };
    return { problems: task.text === undefined ? [] : problemsOf(contract, JSON.parse(task.text)) };
  }

  #document(number: number): OpenApiDocument {
    const document = this.#parsed.get(number) ?? this.#parse(number);
    this.#parsed.delete(number);
    this.#parsed.set(number, document);
    if (this.#parsed.size > MAX_PARSED) this.#parsed.delete(this.#parsed.keys().next().value as number);
    return document;
  }

  #parse(number: number): OpenApiDocument {
    const text = this.#texts.get(number);
    const document: unknown = text && JSON.parse(Buffer.from(text).toString());
    if (!isObject(document)) throw fwError(CONTRACT_ERRORS.FW_FLEET_DOCUMENT, {});
    return new OpenApiDocument(document, this.patterns);
  }
}
