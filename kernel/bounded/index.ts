export { BoundedMap, type BoundedMapOptions, type BoundedMapStats } from './bounded-map.js';
export { CollectedBytes } from './collected-bytes.js';
export { Ring } from './ring.js';
