import * as z from 'zod';

const judgeFields = {
	model: z.string().min(1).optional().describe('Model that grades the value. Default: a model of the connection.'),
	atLeast: z.number().optional().describe('Minimum score to pass, from 0 to 1. Default: 0.5.'),
	votes: z
		.union([z.literal(1), z.literal(3), z.literal(5), z.literal(7), z.literal(9)])
		.optional()
		.describe('Number of grades: 1, 3, 5, 7 or 9. The median counts. Default: 1.'),
	parameters: z
		.strictObject({ temperature: z.number().min(0).optional(), top_p: z.number().min(0).optional(), top_k: z.number().min(0).optional() })
		.optional()
		.describe('Parameters of the model.'),
};

/** Schema of a check by a judge. */
export const judgeCheckSchema = z.union([
	z.string().min(1),
	z.strictObject({ rubric: z.string().min(1).describe('Criteria for the grade.'), ...judgeFields }),
]);

/** Schema of a suite's judges. */
export const judgesSchema = z.record(
	z.string().min(1),
	z.strictObject({
		rubric: z
			.union([z.string().min(1), z.strictObject({ $file: z.string().min(1) })])
			.describe('Criteria for the grade: text, or a file relative to the folder of the suite.'),
		...judgeFields,
		examples: z
			.number()
			.optional()
			.describe('Number of labeled outputs that the judge sees as examples. They are from the tuning half of the labels. Default: 0.'),
		min_kappa: z
			.number()
			.optional()
			.describe("Minimum agreement with people in the held-out half of the labels (Cohen's kappa) for `agent-workbench test` to pass."),
	}),
);
