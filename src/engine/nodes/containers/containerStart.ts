import * as z from 'zod';
import { defineNodeType } from '../nodeType.ts';

/** Start node inside a container (`iteration-start`, `loop-start`). It isn't run and sends no events. */
export const containerStart = defineNodeType({ type: 'container-start', schema: z.looseObject({}), run: () => ({ outputs: {} }) });

/** Loop-end node: ends the enclosing loop immediately. */
export const loopEnd = defineNodeType({ type: 'loop-end', schema: z.looseObject({}), run: () => ({ outputs: {} }) });
