import * as z from 'zod';
import { mocksSchema } from '#contract/mocks.ts';
import { fileTypes } from '#contract/workflows.ts';

// What a suite file holds. Only scripts/suiteFileSchema.ts reads this: it makes media/suite.schema.json of it, which suites are checked against.

const range = z
	.union([z.number(), z.strictObject({ min: z.number().optional(), max: z.number().optional() })])
	.describe('A number, or {"min": …, "max": …} with one or both.');
const anything = z.unknown();

const checkSchema = z
	.strictObject({
		name: z.string().min(1).optional().describe('What the check is called in results.'),
		not: z.boolean().optional().describe('The check holds where it would not, and the other way round.'),
		weight: z
			.number()
			.optional()
			.describe('How much it counts in the score of the case (default 1); of weight 0 it is told and fails nothing.'),
		output: z
			.string()
			.min(1)
			.optional()
			.describe('Path into the outputs, such as "facts.items[0].id"; of the run, or of `node`. All outputs where it is absent.'),
		node: z.string().min(1).optional().describe('ID of the node that is looked at in place of the run.'),
		inputs: z.string().min(1).optional().describe('With `node`: path into what went into it, in place of `output`; "$" is all of it.'),
		equals: anything.optional().describe('The value is this one; numbers, texts, deep JSON.'),
		oneOf: z.array(anything).min(1).optional().describe('The value is one of these.'),
		contains: anything.optional().describe('The text holds this text, the list this entry.'),
		containsAll: z.array(anything).min(1).optional().describe('The text holds all of these texts, the list all of these entries.'),
		startsWith: z.string().optional().describe('The text begins with this.'),
		endsWith: z.string().optional().describe('The text ends with this.'),
		matches: z.string().min(1).optional().describe('The text has a place that this regular expression (JavaScript) matches.'),
		schema: z.record(z.string(), anything).optional().describe('The value fits this JSON schema; a text that is JSON counts as its value.'),
		closeTo: z
			.strictObject({ value: anything, within: z.number().optional() })
			.optional()
			.describe('The number is at most `within` (default 0.01) away from `value`.'),
		similar: z
			.strictObject({ to: z.string(), atLeast: z.number().optional() })
			.optional()
			.describe('The words of the text are like those of `to`: ROUGE-L of at least `atLeast` (default 0.7), from 0 to 1.'),
		ignoreCase: z.boolean().optional().describe('Capital letters count as small ones.'),
		trim: z.boolean().optional().describe('Space around texts does not count.'),
		status: z.string().min(1).optional().describe('Status of the run, or of `node`: succeeded, failed, stopped, paused, exception, …'),
		error: z.union([z.boolean(), z.string()]).optional().describe('Whether the run, or `node`, has an error; a text has to be in it.'),
		seconds: range.optional().describe('Seconds that the run, or `node`, took.'),
		tokens: range.optional().describe('Tokens that the run, or `node`, used.'),
		cost: range.optional().describe('Price of the run, or of `node`, in the currency that the service names.'),
		steps: range.optional().describe('Steps of the run.'),
		nodes: z
			.strictObject({
				ran: z.array(z.string().min(1)).optional().describe('IDs of nodes that ran.'),
				skipped: z.array(z.string().min(1)).optional().describe('IDs of nodes that did not run.'),
				order: z.array(z.string().min(1)).optional().describe('IDs of nodes that began in this order; others may lie between them.'),
			})
			.optional()
			.describe('Which nodes ran, and in which order.'),
		snapshot: z.boolean().optional().describe('The value is the one that was accepted.'),
		expression: z
			.string()
			.min(1)
			.optional()
			.describe('JavaScript over `outputs`, `nodes`, `run` and `row`: gives true, or {"pass", "score", "reason"}.'),
		judge: z
			.strictObject({
				rubric: z.string().min(1).describe('What a model is to grade the value against.'),
				model: z.string().min(1).optional().describe('Model that grades; one of the connection where it is absent.'),
				atLeast: z.number().optional().describe('Score, from 0 to 1, from which on it passes (default 0.5).'),
			})
			.optional()
			.describe('A model grades the value against a rubric.'),
	})
	.meta({ id: 'check', description: 'An expectation; it has exactly one field that says what is expected, such as `equals`.' });

const inputs = z.record(z.string(), anything);
const checks = z.array(checkSchema);
const localFile = z
	.strictObject({
		$file: z.string().min(1).describe('Path from the folder of the suite; must stay in the workspace folder.'),
		type: z.enum(fileTypes).optional().describe('Kind of the file; from its ending where it is absent.'),
	})
	.describe('A file of this workspace: read where the input is a text, uploaded where it is a file.');
const files = z.array(z.union([localFile, z.looseObject({ type: z.enum(fileTypes) })])).describe('Files of the run.');

const caseFields = {
	inputs: inputs.optional().describe('Values of the variables that the agent defines.'),
	query: z.string().min(1).optional().describe('Message to an agent that chats; its answer is the output `answer`.'),
	files: files.optional(),
	trigger: z.string().min(1).optional().describe('Node ID of the start node or trigger to begin with.'),
	mocks: mocksSchema
		.optional()
		.describe('Nodes that are not run, by ID, and what stands in for them; only where the built-in gateway runs the agent.'),
	expect: checks.optional().describe('What is expected; that the run succeeds, where nothing else is said of its status or error.'),
};

/** A suite file. */
export const suiteFileSchema = z.strictObject({
	$schema: z.string().optional().describe('Address of this schema; not used.'),
	model: z.string().min(1).optional().describe('Agent name.'),
	chat: z
		.looseObject({
			endpoint: z.enum(['messages', 'completions', 'content']).describe('Endpoint of text generation.'),
			model: z.string().min(1).describe('Model name; `*` stands for anything: the first that the connection lists.'),
		})
		.optional()
		.describe(
			'A request to a model, in place of an agent. Its texts take `{{NAME}}` from the inputs of a case; its reply is the output `text`.',
		),
	user: z.string().min(1).optional().describe("User of the runs; the connection's user where it is absent."),
	defaults: z.strictObject(caseFields).optional().describe('What holds for all cases and rows beside their own.'),
	cases: z
		.array(
			z.union([
				z.strictObject({ name: z.string().min(1).describe('Name of the case; no two have the same.'), ...caseFields }),
				z.strictObject({
					run: z.string().min(1).describe('Path or pattern of run files, from the folder of the suite.'),
					mocks: caseFields.mocks,
					expect: caseFields.expect,
				}),
				z.string().min(1).describe('Path or pattern of run files, from the folder of the suite.'),
			]),
		)
		.optional()
		.describe('The cases: as they stand here, or run files.'),
	dataset: z
		.strictObject({
			file: z.string().min(1).describe('CSV, TSV, JSONL or JSON file, from the folder of the suite; a row is a case.'),
			format: z.enum(['csv', 'tsv', 'jsonl', 'json']).optional().describe('Its format; from its ending where it is absent.'),
			name: z.string().min(1).optional().describe('Name of a row, such as "{{id}}"; `{{row}}` is its number.'),
			inputs: inputs.optional().describe('Inputs of a row; texts take `{{COLUMN}}`. All columns but `expect:NAME` where it is absent.'),
			query: z.string().min(1).optional().describe('Message of a row, to an agent that chats; takes `{{COLUMN}}`.'),
			mocks: z.record(z.string().min(1), anything).optional().describe('Mocks of a row; texts take `{{COLUMN}}`.'),
			expect: checks
				.optional()
				.describe('What is expected of a row; texts take `{{COLUMN}}`. A column `expect:NAME` is an `equals` of that output.'),
		})
		.optional(),
	cache: z
		.boolean()
		.optional()
		.describe('Whether replies of models come from the cache of the built-in gateway, so that a rerun is free and gives the same.'),
	repeat: z.number().optional().describe('How often each case runs (default 1).'),
	pass_rate: z.number().optional().describe('Share of these runs that must pass, from 0 to 1 (default 1).'),
	concurrency: z.number().optional().describe('Runs at a time on the connection, all suites together (default 4).'),
});
