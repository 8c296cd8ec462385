const WIDTH = 120;
const HEIGHT = 28;

/** A line without axes; decoration beside the number that it led to. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const highest = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const y = HEIGHT - 2 - ((value ?? 0) / highest) * (HEIGHT - 4);
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && (
        <>
          <polygon class="sparkline-area" points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
          <polyline class="sparkline-line" points={points.join(' ')} />
        </>
      )}
    </svg>
  );
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
