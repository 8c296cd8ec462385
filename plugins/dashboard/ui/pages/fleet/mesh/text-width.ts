/** As `.svc-name` of the style sheet has it. */
const NAME_FONT = '600 12.5px';
/** Names whose shortened form is remembered. */
const MAX_REMEMBERED = 1_000;

const remembered = new Map<string, string>();
let pen: CanvasRenderingContext2D | null | undefined;

/**
 * A name that is no wider than a number of pixels in the font of the page, which differs from machine to machine. Its middle is left out,
 * because siblings differ at their ends: `payments-worker`, `payments-web`.
 */
export function shortened(name: string, width: number): string {
  const key = `${width} ${name}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  let text = name;
  for (let kept = name.length - 1; widthOf(text) > width && kept > 1; kept--) {
    text = `${name.slice(0, Math.ceil(kept / 2))}…${name.slice(name.length - Math.floor(kept / 2))}`;
  }
  remembered.set(key, text);
  return text;
}

function widthOf(text: string): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return 0;
  pen.font = `${NAME_FONT} ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}
