export { BoundedMap, type BoundedMapOptions, type BoundedMapStats } from './bounded-map.js';
export { Ring } from './ring.js';
