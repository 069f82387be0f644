import * as z from 'zod';

/** A page's message that the user has resized a column of its table. */
export const widthsMessageSchema = z.object({
	type: z.literal('widths'),
	widths: z.record(z.string().max(40), z.number().min(1).max(10_000)),
});
