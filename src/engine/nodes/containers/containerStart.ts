import * as z from 'zod';
import { nodeType } from '../nodeType.ts';

/** Where a round of an iteration or loop begins (`iteration-start`, `loop-start`); it is not run and sends no events. */
export const containerStart = nodeType({ type: 'container-start', schema: z.looseObject({}), run: () => ({ outputs: {} }) });

/** Ends the loop around it at once. */
export const loopEnd = nodeType({ type: 'loop-end', schema: z.looseObject({}), run: () => ({ outputs: {} }) });
