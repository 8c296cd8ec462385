import type { SpanNode } from '../../../../kernel/contracts/fleet-wire.js';
import { systemClock } from '../../../../kernel/index.js';
import { Aggregator, aggregatorDefaults, settingsOf } from '../../aggregator/index.js';
import type { Planted } from './planted.js';
import { plantedSpans } from './planted-spans.js';

/** The aggregator's verdict about a planted failure. */
export interface Judgement {
  readonly name: string;
  readonly isRight: boolean;
  /** The verdict was wrong, although reported as certain. */
  readonly isConfidentlyWrong: boolean;
  readonly expected: string;
  readonly said: string;
  readonly confidence: string;
}

/** Lets an aggregator find the cause of a planted failure, from the spans alone and in the order of their arrival. */
export function judge(planted: Planted): Judgement {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { spans, ids } = plantedSpans(planted, traceId);
  const aggregator = new Aggregator(settingsOf(aggregatorDefaults()), {
    clock: systemClock,
    fetchDocument: () => Promise.reject(new Error('no documents here')),
  });
  aggregator.acceptSpans(spans.toReversed());
  const trace = aggregator.trace(traceId);
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const found = planted.slow === true ? trace?.slowest_span_id : trace?.root_cause_span_id;
  const confidence = trace?.root_cause_confidence ?? (planted.slow === true ? 'certain' : 'none');
  const said = found === undefined ? 'none' : (names.get(found) ?? `span ${found}`);
  const accepted = [planted.cause].flat();
  const isCause =
    accepted.includes(said) || (accepted.includes('unknown') && (confidence === 'unsure' || found === undefined));
  const nodes = (trace?.roots ?? []).flatMap(all);
  const marked = (mark: 'independent_error' | 'derived_error', wanted: readonly string[] = []) =>
    wanted.every((name) => nodes.some((node) => node.span_id === ids.get(name) && node[mark] === true));
  const words = [trace?.summary, ...(trace?.root_cause_evidence ?? [])].join('. ');
  const isRight =
    isCause &&
    words.includes(planted.says ?? '') &&
    marked('independent_error', planted.independent) &&
    marked('derived_error', planted.derived);
  return {
    name: planted.name,
    isRight,
    isConfidentlyWrong: !isCause && confidence === 'certain',
    expected: [...accepted, ...(planted.independent ?? []).map((name) => `${name} independent`)].join(' or '),
    said,
    confidence,
  };
}

const all = (node: SpanNode): SpanNode[] => [node, ...(node.children ?? []).flatMap(all)];

/** Summary of a corpus: the shares of right and wrong verdicts. */
export function tally(judgements: readonly Judgement[]) {
  const right = judgements.filter(({ isRight }) => isRight).length;
  return {
    planted: judgements.length,
    right,
    share: judgements.length === 0 ? 0 : right / judgements.length,
    confidentlyWrong: judgements.filter(({ isConfidentlyWrong }) => isConfidentlyWrong).length,
  };
}
