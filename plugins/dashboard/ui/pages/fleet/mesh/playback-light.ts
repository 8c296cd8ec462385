import { pointOn } from '../model/arcs.js';
import { arcStateAt, type Hop, hopKey, type Pulse, pulsesAt } from '../model/hops.js';
import type { PictureEdge } from '../model/picture.js';
import { type PlayTimeline, PULSE_MS } from '../model/timeline.js';
import type { View } from '../model/viewport.js';

interface ArcElements {
  readonly request: Element;
  readonly response: Element;
}

/**
 * Lights arcs during a playback. It changes the elements directly and only where needed: no frame renders components or causes layout, and
 * dots move by their transform alone.
 */
export class PlaybackLight {
  readonly #groups = new Map<string, Element>();
  readonly #arcs = new Map<string, ArcElements>();
  readonly #dots: HTMLElement[] = [];
  readonly #shown = new Map<Element, string>();

  /** @param layer - where the dots are drawn */
  constructor(
    root: SVGElement,
    private readonly layer: HTMLElement,
    private readonly view: View,
  ) {
    for (const group of root.querySelectorAll('[data-callee]')) {
      const [caller, callee] = [group.getAttribute('data-caller'), group.getAttribute('data-callee')];
      this.#groups.set(hopKey(caller ?? '', callee ?? ''), group);
    }
  }

  /** Shows a moment. @param played - milliseconds of the playback; undefined for a trace that is shown as it ended */
  show(
    hops: readonly Hop[],
    edges: ReadonlyMap<string, PictureEdge>,
    timeline: PlayTimeline,
    played: number | undefined,
    still: boolean,
  ): void {
    const at = played === undefined ? undefined : timeline.traceTime(played);
    for (const hop of hops) {
      const elements = this.#elementsOf(hopKey(hop.caller, hop.callee));
      if (elements === undefined) continue;
      const { request, response } = arcStateAt(hop, at);
      this.#write(elements.request, request);
      this.#write(elements.response, response);
    }
    const pulses = played === undefined || still ? [] : pulsesAt(hops, played, timeline.playTime, PULSE_MS);
    this.#move(pulses, edges);
  }

  #elementsOf(key: string): ArcElements | undefined {
    const known = this.#arcs.get(key);
    if (known?.request.isConnected) return known;
    const group = this.#groups.get(key);
    const [request, response] = [
      group?.querySelector('[data-arc=request]'),
      group?.querySelector('[data-arc=response]'),
    ];
    if (!request || !response) return undefined;
    const elements = { request, response };
    this.#arcs.set(key, elements);
    return elements;
  }

  #write(element: Element, state: string): void {
    if (this.#shown.get(element) === state) return;
    this.#shown.set(element, state);
    element.setAttribute('data-state', state);
  }

  #move(pulses: readonly Pulse[], edges: ReadonlyMap<string, PictureEdge>): void {
    let used = 0;
    for (const { hop, way, share, failed } of pulses) {
      const edge = edges.get(hopKey(hop.caller, hop.callee));
      if (edge === undefined) continue;
      const { x, y } = pointOn(edge.arcs[way], eased(share));
      const dot = (this.#dots[used] ??= this.#newDot());
      used++;
      const { view } = this;
      const [left, top] = [view.x + x * view.scale, view.y + y * view.scale];
      dot.style.transform = `translate3d(${left.toFixed(1)}px, ${top.toFixed(1)}px, 0)`;
      this.#name(dot, failed ? 'pulse pulse-failed' : 'pulse');
    }
    for (const dot of this.#dots.slice(used)) this.#name(dot, 'pulse pulse-off');
  }

  #name(dot: HTMLElement, name: string): void {
    if (dot.className !== name) dot.className = name;
  }

  #newDot(): HTMLElement {
    const dot = document.createElement('i');
    this.layer.append(dot);
    return dot;
  }
}

function eased(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - (-2 * share + 2) ** 2 / 2;
}
