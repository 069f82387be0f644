import { sized } from './long.ts';

/**
 * Longest that anybody else may wait for an answer under an attack, in milliseconds. `npm test` runs attacks beside other suites on as few as two cores, so
 * that its answers wait for those too; what the attacks did before they were held was to keep others waiting for eleven seconds to for ever.
 */
export const patienceMs = sized(8_000, 1_000);
