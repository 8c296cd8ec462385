// Strokes on a grid of 24; drawn here because the few that are used are smaller than any icon package.
const PATHS = {
  overview: 'M3 13h4l3-9 4 16 3-9h4',
  routes: 'M6 19a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm12-8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM9 16h5a4 4 0 0 0 4-4v-1',
  requests: 'M4 7h16m0 0-4-4m4 4-4 4M20 17H4m0 0 4-4m-4 4 4 4',
  errors: 'M12 8v5m0 3.5v.5M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  logs: 'M4 6h16M4 12h10M4 18h13',
  performance: 'M12 14l4-5M4.6 18.5a9 9 0 1 1 14.8 0',
  queries:
    'M4 6c0 1.7 3.6 3 8 3s8-1.3 8-3-3.6-3-8-3-8 1.3-8 3Zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  events: 'M13 2 4 14h7l-1 8 9-12h-7l1-8Z',
  diagnostics: 'M9 12l2 2 4-4m6 2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  mcp: 'M9 3v4m6-4v4M7 7h10v5a5 5 0 0 1-10 0V7Zm5 10v4',
  boot: 'M12 3v9m5.7-5.7a8 8 0 1 1-11.4 0',
  configuration:
    'M4 7h10m4 0h2M4 17h2m4 0h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-8 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  explorer: 'M8 6l-6 6 6 6m8-12 6 6-6 6M14 4l-4 16',
  fleet:
    'M12 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM5 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm14 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10.6 7.6 6.4 16.4M13.4 7.6l4.2 8.8M8 19h8',
  plugin: 'M10 4a2 2 0 1 1 4 0v2h4v4h-2a2 2 0 1 0 0 4h2v6H6v-6H4a2 2 0 1 1 0-4h2V6h4V4Z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-14v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5Z',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6 6 18',
  logout: 'M15 4h3a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-3M10 16l-4-4 4-4m-4 4h11',
  play: 'M7 4v16l13-8L7 4Z',
  pause: 'M8 5v14M16 5v14',
  chevron: 'M9 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  external: 'M14 4h6v6m0-6L10 14M18 14v6H4V6h6',
  check: 'M5 12l5 5 9-10',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon beside text; it is decoration, so that the text or the label of its button has to say what it means. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
