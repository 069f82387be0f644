import * as z from 'zod';

/** Replaces one attempt of a node: outputs, with the output handle of a branching node, or an error. */
const mockSchema = z.union(
	[
		z.strictObject({
			outputs: z.record(z.string(), z.unknown()).describe('Outputs of the node, by name.'),
			handle: z
				.string()
				.min(1)
				.optional()
				.describe('Output handle of a branching node, for example a case ID. Default: determined by its outputs.'),
		}),
		z.strictObject({
			error: z.string().describe('Error message that the node fails with. Its retries and error strategy apply.'),
			error_type: z.string().min(1).optional().describe('Type of the error, as in `error_type` of an error branch.'),
		}),
	],
	{ error: 'expected {"outputs": {…}} or {"error": "…"}' },
);
export type Mock = z.infer<typeof mockSchema>;

/**
 * Mocked nodes by ID. A list has an entry per attempt (including retries and iterations), and its last entry is repeated. Only supported by
 * the built-in gateway, whose events of such nodes have `mocked: true`.
 */
export const mocksSchema = z.record(z.string().min(1), z.union([mockSchema, z.array(mockSchema).min(1)]));
export type Mocks = z.infer<typeof mocksSchema>;
