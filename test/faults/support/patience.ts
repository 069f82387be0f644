import { sized } from './long.ts';

/**
 * Longest that anybody else may wait for an answer under an attack, in milliseconds. `npm test` runs attacks beside other suites on as few as two cores, so
 * that its answers wait for those too, on a slow machine for seconds; there it is enough that others are answered while the attack goes on.
 */
export const patienceMs = sized(45_000, 1_000);
