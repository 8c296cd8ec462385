import { effect, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Empty, Loading } from '../../../components/states.js';
import { radiusOfIncident, radiusOfTrace, type BlastRadius } from '../model/blast-radius.js';
import { boxAround, type Point } from '../model/graph-layout.js';
import { type Hop, hopKey, OUTSIDE } from '../model/hops.js';
import { type PartOfFleet, partOfFleet } from '../model/part-of-fleet.js';
import { labelPlace, placeLabels } from '../model/labels.js';
import { draw, type Picture, type PictureEdge, structureKey, structureOf } from '../model/picture.js';
import type { FleetService } from '../model/service-state.js';
import { fit, pan, type Size, type View, zoom } from '../model/viewport.js';
import { blastOrigin, filter, openGroup, setFilter, showGroup } from '../state/address.js';
import { useFleet } from '../state/context.js';
import { PlaybackBar } from '../trace/playback-bar.js';
import { Call, type CallLook, lookOf } from './call.js';
import { PlaybackLight } from './playback-light.js';
import { lookOfGroup, lookOfService, type Role, ServiceCard } from './service-card.js';

/** With more services than this an open trace, a chosen service or a blast radius fills the picture, and groups stand for their members. */
const MANY_SERVICES = 24;
/** With more calls than this only those of the service under the pointer have labels. */
const MANY_CALLS = 26;
const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

/** The fleet as a mesh: services, and two arcs for every pair of caller and callee (SPEC "Fleet operations", rule 9). */
export function Mesh() {
  const { store, open } = useFleet();
  const [isWhole, setWhole] = useState(false);
  const all = store.services.value;
  const hops = open.hops.value;
  const radius = useRadius();
  const isMany = all.length > MANY_SERVICES;
  // Of a large fleet an open trace shows its own services, large enough to be read; without one, whatever is looked at does.
  const focus = { service: filter.value.service, group: openGroup.value, radius };
  const wanted = isMany && hops.length === 0 ? partOfFleet(all, store.topology.value, focus) : undefined;
  const mayFocus = isMany && (hops.length > 0 || wanted !== undefined);
  const isFocused = mayFocus && !isWhole;
  const part = isFocused ? (wanted ?? NOTHING) : undefined;
  const picture = usePicture(part);
  const services = isFocused ? all.filter(({ name }) => picture.layout.places.has(name)) : all;
  const narrow =
    hops.length > 0 ? 'Only this trace' : focus.service === '' && !radius ? 'In groups' : 'Only its neighbours';
  return (
    <section class="mesh" aria-label="Topology">
      {!store.isAsked.value && picture.edges.length === 0 ? (
        <Loading />
      ) : services.length === 0 && picture.edges.length === 0 ? (
        <Empty icon="fleet" title="No services reporting yet">
          Services appear here with their first heartbeat or their first trace.
        </Empty>
      ) : (
        <Graph picture={picture} services={services} groups={part?.groups} radius={radius}>
          {focus.group !== '' && part !== undefined && part.groups.size > 0 && (
            <button type="button" class="mesh-focus" onClick={() => showGroup('')}>
              Fold {focus.group}
            </button>
          )}
          {mayFocus && (
            <button type="button" class="mesh-focus" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? narrow : `All ${all.length} services`}
            </button>
          )}
        </Graph>
      )}
      {open.hops.value.length > 0 && <PlaybackBar />}
    </section>
  );
}

const NOTHING: PartOfFleet = { services: [], topology: { nodes: [], edges: [] }, groups: new Map() };

// The structure decides where things are; the numbers of every two seconds do not.
function usePicture(part: PartOfFleet | undefined): Picture {
  const { store, open } = useFleet();
  const topology = store.topology.value;
  const structure = structureOf(part ? part.topology : topology, open.hops.value);
  const known = part ? part.services : store.infos.value.map(({ name }) => name);
  const named = { ...structure, services: [...new Set([...structure.services, ...known])].sort() };
  const key = structureKey(named);
  const laidOut = useMemo(() => draw(named), [key]);
  return useMemo(() => {
    const traffic = new Map(topology.edges.map((edge) => [hopKey(edge.caller, edge.callee), edge]));
    return { ...laidOut, edges: laidOut.edges.map((edge) => ({ ...edge, traffic: traffic.get(edge.key) })) };
  }, [laidOut, topology]);
}

function Graph({
  picture,
  services,
  groups,
  radius,
  children,
}: {
  readonly picture: Picture;
  readonly services: readonly FleetService[];
  readonly groups: PartOfFleet['groups'] | undefined;
  readonly radius: BlastRadius | undefined;
  /** Further tools. */
  readonly children?: ComponentChildren;
}) {
  const { open } = useFleet();
  const frame = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const dots = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState('');
  const hops = open.hops.value;
  const byKey = useMemo(() => new Map(hops.map((hop) => [hopKey(hop.caller, hop.callee), hop])), [hops]);
  const viewport = useViewport(frame, picture, hops);
  usePlaybackLight(svg, dots, picture, viewport.view);
  const selected = filter.value.service;
  const areLabelled = picture.edges.length <= MANY_CALLS && viewport.view.scale > 0.55;
  const outside = picture.layout.places.get(OUTSIDE);
  const { x, y, scale } = viewport.view;
  const transform = `translate(${x} ${y}) scale(${scale})`;
  // Calls of the open trace have a layer of their own, and so have the dots: what lights up must not repaint the fleet.
  const near = [hovered, selected].filter((name) => name !== '');
  const calls = useCalls(picture, byKey, radius, areLabelled, near);
  return (
    <div class="mesh-stage">
      <div
        ref={frame}
        class={`mesh-frame${viewport.view.scale < 0.5 ? ' is-far' : ''}${hops.length > 0 ? ' has-trace' : ''}${radius ? ' has-radius' : ''}`}
        {...viewport.handlers}
      >
        <svg class="mesh-layer" aria-hidden="true">
          <g transform={transform}>{calls.filter(({ edge }) => !byKey.has(edge.key)).map(drawn)}</g>
        </svg>
        <svg ref={svg} class="mesh-layer mesh-hops" role="group" aria-label="Calls of the open trace">
          <g transform={transform}>{calls.filter(({ edge }) => byKey.has(edge.key)).map(drawn)}</g>
        </svg>
        <div ref={dots} class="mesh-layer" aria-hidden="true" />
        <svg class="mesh-layer" role="group" aria-label="Services">
          <g transform={transform}>
            {outside && <Outside place={outside} aside={hops.length === 0 && radius !== undefined} />}
            <g
              onMouseOver={({ target }) => setHovered(serviceAt(target as Element))}
              onMouseLeave={() => setHovered('')}
            >
              <Cards
                places={picture.layout.places}
                services={services}
                groups={groups}
                radius={radius}
                selected={selected}
              />
            </g>
          </g>
        </svg>
      </div>
      <ViewTools zoomBy={viewport.zoomBy} showAll={viewport.showAll}>
        {children}
      </ViewTools>
      <Legend hasTrace={hops.length > 0} />
    </div>
  ); // prettier-ignore
}

const select = (name: string) => setFilter({ service: filter.peek().service === name ? '' : name });

/** The cards of services, and of the groups that stand for several. */
function Cards({
  places,
  services,
  groups = new Map(),
  radius,
  selected,
}: {
  readonly places: ReadonlyMap<string, Point>;
  readonly services: readonly FleetService[];
  readonly groups: PartOfFleet['groups'] | undefined;
  readonly radius: BlastRadius | undefined;
  readonly selected: string;
}) {
  const { open } = useFleet();
  const hops = open.hops.value;
  const cause = open.view.value?.cause?.node.service;
  return (
    <>
      {services.map((service) => {
        const { name } = service;
        const place = places.get(name);
        return (
          place && (
            <ServiceCard
              key={name}
              {...lookOfService(service)}
              place={place}
              role={roleOf(name, hops, radius, cause)}
              hops={radius?.hops.get(name)}
              selected={selected === name}
              onSelect={select}
            />
          )
        );
      })}
      {[...groups].map(([name, group]) => {
        const place = places.get(name);
        return (
          place && (
            <ServiceCard
              key={name}
              {...lookOfGroup(name, group)}
              place={place}
              role="plain"
              hops={undefined}
              selected={false}
              onSelect={() => showGroup(group.name)}
            />
          )
        );
      })}
    </>
  );
}

function ViewTools({
  zoomBy,
  showAll,
  children,
}: {
  readonly zoomBy: (factor: number) => void;
  readonly showAll: () => void;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="mesh-tools" role="group" aria-label="View of the topology">
      {children}
      <button type="button" aria-label="Zoom in" onClick={() => zoomBy(ZOOM_STEP)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / ZOOM_STEP)}>
        −
      </button>
      <button type="button" aria-label="Show everything" onClick={showAll}>
        ⤢
      </button>
    </div>
  );
}

interface DrawnCall {
  readonly edge: PictureEdge;
  readonly look: CallLook;
  readonly at: Point;
}

function drawn({ edge, look, at }: DrawnCall) {
  const { key, caller, callee, arcs } = edge;
  return <Call key={key} caller={caller} callee={callee} arcs={arcs} {...look} labelX={at.x} labelY={at.y} />;
}

/** How every call looks, with labels that do not cover each other; those of the open trace are always there. */
function useCalls(
  { edges }: Picture,
  hops: ReadonlyMap<string, Hop>,
  radius: BlastRadius | undefined,
  areLabelled: boolean,
  near: readonly string[],
): readonly DrawnCall[] {
  const looks = edges.map((edge) => {
    const isNear = near.some((name) => touches(edge, name));
    return { edge, isNear, look: lookOf(edge, hops.get(edge.key), radius, hops.size > 0, areLabelled || isNear) };
  });
  const labels = looks.flatMap(({ edge, look, isNear }) =>
    look.text === ''
      ? []
      : [
          {
            key: edge.key,
            text: look.text,
            arc: edge.arcs.request,
            weight: isNear || hops.has(edge.key) ? 1e12 : (edge.traffic?.calls ?? 0),
          },
        ],
  );
  const places = placeLabels(labels);
  return looks.map(({ edge, look, isNear }) => {
    const place = places.get(edge.key);
    const isKept = place !== undefined || isNear || hops.has(edge.key);
    return { edge, look: isKept ? look : { ...look, text: '' }, at: place ?? labelPlace(edge.arcs.request) };
  });
}

function serviceAt(element: Element): string {
  return element.closest('[data-service]')?.getAttribute('data-service') ?? '';
}

function touches({ caller, callee }: PictureEdge, name: string): boolean {
  return caller === name || callee === name;
}

function roleOf(name: string, hops: readonly Hop[], radius: BlastRadius | undefined, cause: string | undefined): Role {
  if (name === cause) return 'cause';
  if (radius?.origin === name) return 'origin';
  if (radius?.hops.has(name)) return 'affected';
  const inTrace = hops.filter(({ caller, callee }) => caller === name || callee === name);
  if (radius) return 'aside';
  if (inTrace.some((hop) => hop.callee === name && hop.failed)) return 'derived';
  return hops.length > 0 && inTrace.length === 0 ? 'aside' : 'plain';
}

/** The blast radius that the address asks for: of an incident, or of the open trace's root cause. */
function useRadius(): BlastRadius | undefined {
  const { store, open } = useFleet();
  return useComputed(() => {
    const origin = blastOrigin.value;
    const view = open.view.value;
    if (origin === '') return undefined;
    if (view?.cause?.node.service === origin) return radiusOfTrace(view, store.incidents.value);
    const incident = store.incidents.value.find(({ service }) => service === origin);
    return incident && radiusOfIncident(incident);
  }).value;
}

function Outside({ place, aside }: { readonly place: Point; readonly aside: boolean }) {
  return (
    <g class={`outside${aside ? ' role-aside' : ''}`} transform={`translate(${place.x} ${place.y})`} aria-hidden="true">
      <circle r={21} />
      <path d="M0 -9a4 4 0 1 0 .1 0ZM-8 9c0-9 16-9 16 0" />
      <text y={36}>callers</text>
    </g>
  );
}

function Legend({ hasTrace }: { readonly hasTrace: boolean }) {
  return (
    <p class="mesh-legend">
      {hasTrace ? (
        <>
          <i class="key key-request" /> request <i class="key key-response" /> response <i class="key key-failed" /> 5xx
        </>
      ) : (
        <>
          <i class="key key-request" /> request <i class="key key-response" /> response · p50 and p95 of the window
        </>
      )}
    </p>
  );
}

function usePlaybackLight(
  svg: { readonly current: SVGSVGElement | null },
  dots: { readonly current: HTMLElement | null },
  picture: Picture,
  view: View,
): void {
  const { open } = useFleet();
  useLayoutEffect(() => {
    if (!svg.current || !dots.current) return undefined;
    const light = new PlaybackLight(svg.current, dots.current, view);
    const edges = new Map(picture.edges.map((edge) => [edge.key, edge]));
    const end = effect(() =>
      light.show(open.hops.value, edges, open.timeline.value, open.playback.value.at, open.still),
    );
    const layer = dots.current;
    return () => {
      end();
      layer.replaceChildren();
    };
  }, [picture.layout, open.hops.value, view.x, view.y, view.scale]);
}

/** Fits the picture into its frame until somebody moves it by hand. */
function useViewport(frame: { readonly current: HTMLDivElement | null }, picture: Picture, hops: readonly Hop[]) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [manual, setManual] = useState<View | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { places } = picture.layout;
  const traceBox = useMemo(() => {
    if (hops.length === 0 || places.size <= MANY_SERVICES) return undefined;
    const names = new Set(hops.flatMap(({ caller, callee }) => [caller, callee]));
    return boxAround([...names].flatMap((name) => places.get(name) ?? []));
  }, [hops, places]);
  useEffect(() => setManual(undefined), [places, hops]);
  const view = manual ?? fit(traceBox ?? picture.layout.box, size);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const latest = useRef(view);
  latest.current = view;
  const handlers = useMemo(() => dragHandlers(() => latest.current, setManual), []);
  useWheelZoom(frame, () => latest.current, setManual);
  return {
    view,
    handlers: { ...handlers, onKeyDown: (event: KeyboardEvent) => moveByKey(event, latest.current, setManual) },
    zoomBy: (factor: number) => setManual(zoom(view, factor, middle)),
    showAll: () => setManual(fit(picture.layout.box, size)),
  };
}

function dragHandlers(viewNow: () => View, set: (view: View) => void) {
  let from: { readonly x: number; readonly y: number; readonly view: View } | undefined;
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest('[data-service]')) return;
      from = { x: event.clientX, y: event.clientY, view: viewNow() };
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      if (from) set(pan(from.view, event.clientX - from.x, event.clientY - from.y));
    },
    onPointerUp: () => (from = undefined),
    onPointerCancel: () => (from = undefined),
  };
}

// With a modifier only: a page that cannot be scrolled past a picture is a nuisance.
function useWheelZoom(
  frame: { readonly current: HTMLDivElement | null },
  viewNow: () => View,
  set: (view: View) => void,
): void {
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
      set(zoom(viewNow(), Math.exp(-event.deltaY / 300), { x: event.clientX - left, y: event.clientY - top }));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
}

function moveByKey(event: KeyboardEvent, view: View, set: (view: View) => void): void {
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [PAN_STEP, 0],
    ArrowRight: [-PAN_STEP, 0],
    ArrowUp: [0, PAN_STEP],
    ArrowDown: [0, -PAN_STEP],
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  set(pan(view, ...move));
}
