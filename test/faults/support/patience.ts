import { chooseSize } from './long.ts';

/**
 * Maximum response time for other callers during an attack, in milliseconds. `npm test` runs attacks next to other suites on as few as two
 * cores, where a response can take seconds. It only requires that others get a response during the attack.
 */
export const patienceMs = chooseSize(45_000, 1_000);
