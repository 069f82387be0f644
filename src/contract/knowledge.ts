import * as z from 'zod';

const count = z.int().optional();

/** State of a dataset that the built-in gateway's agents search (not in the contract). Only folders have counts. */
export const createDatasetStatusSchema = () =>
	z.object({
		id: z.string(),
		name: z.string(),
		kind: z.enum(['folder', 'dify']),
		/** Absolute path. */
		folder: z.string().optional(),
		state: z.enum(['indexing', 'ready', 'failed']),
		/** Documents that can be searched, now or after indexing. */
		documents: count,
		/** Documents that haven't been read yet. */
		waiting: count,
		/** Files of unsupported kind or size. */
		left_out: count,
		failed: count,
		segments: count,
		/** Segments with a vector. */
		embedded: count,
		/** Messages about content that can't be searched. */
		notes: z.array(z.string()),
		problems: z.array(z.object({ path: z.string(), problem: z.string() })),
	});
export type DatasetStatus = z.infer<ReturnType<typeof createDatasetStatusSchema>>;

/** All datasets of a gateway. */
export const createDatasetListSchema = () => z.object({ data: z.array(createDatasetStatusSchema()) });
export type DatasetList = z.infer<ReturnType<typeof createDatasetListSchema>>;
