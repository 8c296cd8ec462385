import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { dark } from '../shell/theme.js';
import { withGaps } from './gaps.js';

/** A line of a {@link Chart}. */
interface Series {
  readonly label: string;
  /** Number of the colour in the theme, 1 to 6. */
  readonly color: 1 | 2 | 3 | 4 | 5 | 6;
  /** One per time; null leaves a gap. */
  readonly values: readonly (number | null | undefined)[];
  readonly area?: boolean;
}

/** Lines over time. The legend tells the values under the pointer, else the newest ones. */
export function Chart({
  label,
  times: measured,
  series: given,
  format,
  binary = false,
  gaps = true,
  height = 160,
}: {
  /** Description of the chart for screen readers. */
  readonly label: string;
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Bytes: lines of the grid at powers of two. */
  readonly binary?: boolean;
  /** Whether a time that was measured without a value interrupts the line. One that was not measured does always. */
  readonly gaps?: boolean;
  readonly height?: number;
}) {
  const { times, series } = useMemo(() => filled(measured, given, gaps), [measured, given, gaps]);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [pointer, setPointer] = useState<number | null>(null);
  const shape = series.map((each) => `${each.label}/${each.color}/${each.area}`).join();
  const newestFormat = useRef(format);
  newestFormat.current = format;
  useEffect(() => {
    const root = place.current as HTMLDivElement;
    const made = new uPlot(
      optionsOf(root, {
        series,
        height,
        binary,
        format: (value) => newestFormat.current(value),
        point: setPointer,
      }),
      dataOf(times, series),
      root,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: root.clientWidth, height }));
    watch.observe(root);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, [dark.value, shape, height]);
  useEffect(() => plot.current?.setData(dataOf(times, series)), [times, series]);
  const shown = pointer ?? times.length - 1;
  const valueOf = (each: Series) => {
    const value = each.values[shown];
    return value === null || value === undefined ? '–' : format(value);
  };
  return (
    <figure class="chart">
      <figcaption class="legend">
        {series.map((each) => (
          <span key={each.label} class="legend-item">
            <span class={`legend-mark series-${each.color}`} aria-hidden="true" />
            {each.label} <strong>{valueOf(each)}</strong>
          </span>
        ))}
        {pointer !== null && times[pointer] !== undefined && <time class="muted">{timeText(times[pointer])}</time>}
      </figcaption>
      <div ref={place} class="chart-place" role="img" aria-label={describe(label, series, format)} />
    </figure>
  );
}

function filled(times: readonly number[], series: readonly Series[], gaps: boolean) {
  const lines = withGaps({ times, values: series.map(({ values }) => values) }, !gaps);
  return { times: lines.times, series: series.map((each, at) => ({ ...each, values: lines.values[at] ?? [] })) };
}

function describe(label: string, series: readonly Series[], format: (value: number) => string): string {
  const parts = series.map(({ label: name, values }) => {
    const known = values.filter((value) => typeof value === 'number');
    const newest = known.at(-1);
    return newest === undefined
      ? `${name}: no values`
      : `${name}: now ${format(newest)}, highest ${format(Math.max(...known))}`;
  });
  return `${label}. ${parts.join('; ')}.`;
}

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [times as number[], ...series.map(({ values }) => values as (number | null | undefined)[])];
}

interface Drawing {
  readonly series: readonly Series[];
  readonly height: number;
  readonly binary: boolean;
  readonly format: (value: number) => string;
  readonly point: (index: number | null) => void;
}

const POWERS_OF_TWO = Array.from({ length: 50 }, (_, power) => 2 ** power);

function optionsOf(root: HTMLElement, { series, height, binary, format, point }: Drawing): uPlot.Options {
  const style = getComputedStyle(root);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--muted'), font: `11px ${color('--font')}`, ticks: { show: false } };
  const across: uPlot.Axis = { ...axis, grid: { show: false }, space: 90, gap: 8, size: 26 };
  const upward: uPlot.Axis = {
    ...axis,
    grid: { stroke: color('--grid'), width: 1 },
    size: 58,
    space: 30,
    gap: 8,
    values: (_plot, splits) => splits.map(format),
    ...(binary && { incrs: POWERS_OF_TWO }),
  };
  return {
    width: Math.max(100, root.clientWidth),
    height,
    // To the right, room for half of the newest time.
    padding: [6, 28, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _lowest, highest) => [0, highest > 0 ? highest * 1.15 : 1] } },
    axes: [{ ...across, values: (_plot, splits) => splits.map(timeText) }, upward],
    series: [
      {},
      ...series.map((each): uPlot.Series => {
        const stroke = color(`--series-${each.color}`);
        const fill = each.area ? { fill: `${stroke}22` } : {};
        return { label: each.label, stroke, width: 1.5, points: { show: false }, ...fill };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
  };
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function timeText(seconds: number): string {
  return CLOCK.format(seconds * 1000);
}
