import type { BootInfo } from '../wire/boot.js';

/** What the server said about itself in the page. */
export const boot: BootInfo = JSON.parse(document.getElementById('fw-boot')?.textContent ?? '{}') as BootInfo;
