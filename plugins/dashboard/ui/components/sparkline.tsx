const WIDTH = 120;
const HEIGHT = 28;

/** A line without axes: decoration beside its current number. Gaps in the values interrupt it. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const highest = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  const point = (value: number, index: number) => {
    const y = HEIGHT - 2 - (value / highest) * (HEIGHT - 4);
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  };
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {stretches(values).map(({ from, known }) => {
        const points = known.map((value, at) => point(value, from + at)).join(' ');
        const [start, end] = [(from * step).toFixed(1), ((from + known.length - 1) * step).toFixed(1)];
        return (
          <g key={from}>
            <polygon class="sparkline-area" points={`${start},${HEIGHT} ${points} ${end},${HEIGHT}`} />
            <polyline class="sparkline-line" points={points} />
          </g>
        );
      })}
    </svg>
  );
}

interface Stretch {
  readonly from: number;
  readonly known: number[];
}

/** The parts of a series without gaps, at least two values long. */
export function stretches(values: readonly (number | null)[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let open: Stretch | undefined;
  values.forEach((value, at) => {
    if (value === null) return void (open = undefined);
    if (open === undefined) found.push((open = { from: at, known: [] }));
    open.known.push(value);
  });
  return found.filter(({ known }) => known.length > 1);
}

/** Bars without axes: how often something happened in each of the last minutes. */
export function Bars({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
        return (
          <rect
            key={index}
            class={value === 0 ? 'bar-none' : 'bar'}
            x={index * step + 0.5}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
          />
        );
      })}
    </svg>
  );
}
