import * as z from 'zod';

const count = z.int().optional();

/** State of a dataset that the built-in gateway's agents search (beyond the contract). Counts are those of folders. */
export const createDatasetStatusSchema = () =>
	z.object({
		id: z.string(),
		name: z.string(),
		kind: z.enum(['folder', 'dify']),
		/** Absolute path. */
		folder: z.string().optional(),
		state: z.enum(['indexing', 'ready', 'failed']),
		/** Documents that are searched, or will be. */
		documents: count,
		/** Documents to be read. */
		waiting: count,
		/** Files of unsupported kind or size. */
		left_out: count,
		failed: count,
		segments: count,
		/** Segments with a vector. */
		embedded: count,
		/** Messages on what can't be searched. */
		notes: z.array(z.string()),
		problems: z.array(z.object({ path: z.string(), problem: z.string() })),
	});
export type DatasetStatus = z.infer<ReturnType<typeof createDatasetStatusSchema>>;

/** All datasets of a gateway. */
export const createDatasetListSchema = () => z.object({ data: z.array(createDatasetStatusSchema()) });
export type DatasetList = z.infer<ReturnType<typeof createDatasetListSchema>>;
