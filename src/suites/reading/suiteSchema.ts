import * as z from 'zod';
import { mocksSchema } from '#contract/mocks.ts';
import { recordingSettingsSchema } from '#contract/recordings/recordings.ts';
import { fileTypes } from '#contract/workflows.ts';
import { attacksSchema } from './attacksSchema.ts';
import { createConversationFields } from './conversationSchema.ts';
import { judgeCheckSchema, judgesSchema } from './judgesSchema.ts';

// The schema of suite files. Only scripts/suiteFileSchema.ts reads this, to generate media/suite.schema.json, which suites are checked
// against.

const range = z
	.union([z.number(), z.strictObject({ min: z.number().optional(), max: z.number().optional() })])
	.describe('A number, or {"min": …, "max": …} with one or both limits.');
const anything = z.unknown();
const toolNames = z.array(z.string().min(1));
const argumentMode = z.enum(['exact', 'ignore', 'subset', 'superset', 'allowed']);

const checkSchema = z
	.strictObject({
		name: z.string().min(1).optional().describe('Name of the check in results.'),
		not: z.boolean().optional().describe('Whether to invert the check.'),
		weight: z
			.number()
			.optional()
			.describe("Weight of the check in the score of the test case. Default: 1. With 0, the check is reported but can't fail the case."),
		output: z
			.string()
			.min(1)
			.optional()
			.describe('Path in the outputs of the run or `node`, for example "facts.items[0].id". Default: all outputs.'),
		node: z.string().min(1).optional().describe('ID of the node to check instead of the run.'),
		inputs: z.string().min(1).optional().describe('With `node`: path in its inputs, instead of `output`. "$" means all inputs.'),
		tool: z.string().min(1).optional().describe('Name of a tool: checks the arguments of its calls, of which one must fit.'),
		call: z.number().optional().describe('With `tool`: number of the call to check. 1 is the first one, -1 the last one. Default: any.'),
		argument: z.string().min(1).optional().describe('With `tool`: path in the arguments. Default: all arguments.'),
		equals: anything.optional().describe('The value equals this one. Works for numbers, strings and nested JSON.'),
		oneOf: z.array(anything).min(1).optional().describe('The value is one of these values.'),
		contains: anything.optional().describe('The string contains this string, or the list contains this entry.'),
		containsAll: z
			.array(anything)
			.min(1)
			.optional()
			.describe('The string contains all of these strings, or the list contains all of these entries.'),
		startsWith: z.string().min(1).optional().describe('The string starts with this string.'),
		endsWith: z.string().min(1).optional().describe('The string ends with this string.'),
		matches: z.string().min(1).optional().describe('The string matches this JavaScript regular expression.'),
		schema: z
			.record(z.string(), anything)
			.optional()
			.describe('The value matches this JSON schema. A string that contains JSON is parsed first.'),
		closeTo: z
			.strictObject({ value: anything, within: z.number().optional() })
			.optional()
			.describe('The number differs from `value` by at most `within`. Default: 0.01.'),
		similar: z
			.strictObject({ to: z.string(), atLeast: z.number().optional() })
			.optional()
			.describe('The words of the string are similar to those of `to`: a ROUGE-L score of at least `atLeast`, from 0 to 1. Default: 0.7.'),
		rag: z
			.strictObject({
				metric: z
					.enum(['hit', 'recall', 'precision', 'mrr', 'ndcg', 'contextPrecision', 'citations', 'grounded'])
					.describe(
						'"citations": share of markers such as [1] that name a retrieved segment. "grounded": share of numbers, dates and quotes of the reply that were retrieved. The others compare what was retrieved with `relevant`.',
					),
				atLeast: z.number().optional().describe('Minimum to pass, from 0 to 1. Default: 1.'),
				k: z.number().min(1).optional().describe('Only the first segments count. Default: all.'),
				node: z.string().min(1).optional().describe('ID of the only knowledge node to consider.'),
				relevant: z
					.array(z.string().min(1))
					.optional()
					.describe('What should be retrieved: names of documents, IDs of segments, or quotes.'),
			})
			.optional()
			.describe('Measures what the run retrieved, without a model.'),
		ignoreCase: z.boolean().optional().describe('Whether to ignore case.'),
		trim: z.boolean().optional().describe('Whether to ignore leading and trailing whitespace.'),
		status: z
			.string()
			.min(1)
			.optional()
			.describe('Status of the run or `node`, for example succeeded, failed, stopped, paused or exception.'),
		error: z
			.union([z.boolean(), z.string()])
			.optional()
			.describe('Whether the run or `node` has an error, or text that the error message contains.'),
		seconds: range.optional().describe('Duration of the run or `node` in seconds.'),
		tokens: range.optional().describe('Tokens used by the run or `node`.'),
		cost: range.optional().describe('Cost of the run or `node`, in the currency of the service.'),
		steps: range.optional().describe('Number of steps of the run.'),
		nodes: z
			.strictObject({
				ran: z.array(z.string().min(1)).optional().describe('IDs of nodes that ran.'),
				skipped: z.array(z.string().min(1)).optional().describe("IDs of nodes that didn't run."),
				order: z.array(z.string().min(1)).optional().describe('IDs of nodes that started in this order. Other nodes can run between them.'),
			})
			.optional()
			.describe('Nodes that ran, and their order.'),
		tools: z
			.strictObject({
				called: toolNames.optional().describe('Tools that were called.'),
				never: toolNames.optional().describe("Tools that weren't called."),
				only: toolNames.optional().describe('No other tools were called.'),
				order: toolNames.optional().describe('Tools that were called in this order. Other calls can be in between.'),
				times: z.record(z.string(), range).optional().describe('Number of calls of each tool.'),
				errors: range.optional().describe('Number of calls that failed.'),
			})
			.optional()
			.describe('Tools that agents and tool nodes called.'),
		trajectory: z
			.strictObject({
				match: z
					.enum(['strict', 'unordered', 'subset', 'superset'])
					.optional()
					.describe(
						'"strict": exactly these calls in this order. "unordered": in any order. "subset": no other calls. "superset": at least these. Default: "strict".',
					),
				arguments: argumentMode
					.optional()
					.describe(
						'How arguments are compared. "subset": none beyond these. "superset": at least these. "allowed": each is a list of allowed values. Default: "exact".',
					),
				calls: z
					.array(z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), anything).optional() }))
					.describe('Expected calls. Without `arguments`, any arguments fit.'),
				perTool: z.record(z.string(), argumentMode).optional().describe('How arguments of single tools are compared.'),
			})
			.optional()
			.describe('The tool calls match this list. The score is the share of matching calls (F1).'),
		snapshot: z.boolean().optional().describe('The value equals the accepted snapshot.'),
		expression: z
			.string()
			.min(1)
			.optional()
			.describe(
				'JavaScript expression that can use `outputs`, `nodes`, `run` and `row`. `run.calls` has the tool calls. It returns true, or {"pass", "score", "reason"}.',
			),
		judge: judgeCheckSchema.optional().describe('A model grades the value by a rubric. A string is the name of a judge in `judges`.'),
	})
	.meta({ id: 'check', description: 'A check with exactly one expectation, for example `equals`.' });

const inputs = z.record(z.string(), anything);
const checks = z.array(checkSchema);
const localFile = z
	.strictObject({
		$file: z.string().min(1).describe('Path relative to the folder of the suite, inside the workspace folder.'),
		type: z.enum(fileTypes).optional().describe('Type of the file. Default: determined by the file extension.'),
	})
	.describe("A file in this workspace. Its text is used for text inputs; it's uploaded for file inputs.");
const files = z.array(z.union([localFile, z.looseObject({ type: z.enum(fileTypes) })])).describe('Files for the run.');

const caseFields = {
	inputs: inputs.optional().describe('Values of the variables that the agent defines.'),
	query: z.string().min(1).optional().describe('Message to a chat agent. Its reply is the output `answer`.'),
	files: files.optional(),
	trigger: z.string().min(1).optional().describe('ID of the start node or trigger to start with.'),
	mocks: mocksSchema
		.optional()
		.describe('Outputs to use instead of running the nodes, by node ID. Applies only if the built-in gateway runs the agent.'),
	expect: checks.optional().describe('Expected results. Unless status or error is checked, the run must succeed.'),
};

const variantAxes = {
	agent: z.string().min(1).describe('Version of the agent: "current", "published", "git:REVISION", or the path of an agent file.'),
	models: z
		.record(z.string(), z.union([z.string().min(1), z.strictObject({ provider: z.string().optional(), name: z.string().min(1) })]))
		.describe('Models by node ID, or "*" for all nodes that call a model.'),
	parameters: z
		.record(z.string(), z.record(z.string(), anything))
		.describe('Parameters of models by node ID, or "*" for all nodes that call a model. null removes a parameter.'),
	prompts: z
		.record(z.string(), z.union([z.string(), z.strictObject({ $file: z.string().min(1) })]))
		.describe('Prompts by "NODE.ROLE", for example "facts.system": text, or a file relative to the folder of the suite.'),
};
const label = 'Choices by name. Each is combined with those of the other axes.';

export const suiteFileSchema = z.strictObject({
	$schema: z.string().optional().describe('URL of this schema. Not used.'),
	model: z.string().min(1).optional().describe('Agent name.'),
	chat: z
		.looseObject({
			endpoint: z.enum(['messages', 'completions', 'content']).describe('Text generation endpoint.'),
			model: z.string().min(1).describe('Model name. `*` matches any characters; the first matching model of the connection is used.'),
		})
		.optional()
		.describe(
			'A request to a model, instead of an agent. Strings can contain `{{NAME}}` to insert inputs of a test case. The reply is the output `text`.',
		),
	user: z.string().min(1).optional().describe('User of the runs. Default: the user of the connection.'),
	defaults: z.strictObject(caseFields).optional().describe('Defaults for all test cases and rows.'),
	cases: z
		.array(
			z.union([
				z.strictObject({
					name: z.string().min(1).describe('Unique name of the test case.'),
					...caseFields,
					attacks: attacksSchema.optional(),
					...createConversationFields(files, inputs, checks),
				}),
				z.strictObject({
					run: z.string().min(1).describe('Path or glob pattern of run files, relative to the folder of the suite.'),
					mocks: caseFields.mocks,
					expect: caseFields.expect,
				}),
				z.string().min(1).describe('Path or glob pattern of run files, relative to the folder of the suite.'),
			]),
		)
		.optional()
		.describe('Test cases, or paths of run files.'),
	dataset: z
		.strictObject({
			file: z.string().min(1).describe('CSV, TSV, JSONL or JSON file, relative to the folder of the suite. Each row is a test case.'),
			format: z.enum(['csv', 'tsv', 'jsonl', 'json']).optional().describe('Format of the file. Default: determined by the file extension.'),
			name: z.string().min(1).optional().describe('Name of each row, for example "{{id}}". `{{row}}` is the row number.'),
			inputs: inputs
				.optional()
				.describe('Inputs for each row. Strings can contain `{{COLUMN}}`. Default: all columns except `expect:NAME`.'),
			query: z.string().min(1).optional().describe('Message to a chat agent for each row. Can contain `{{COLUMN}}`.'),
			mocks: z.record(z.string().min(1), anything).optional().describe('Mocks for each row. Strings can contain `{{COLUMN}}`.'),
			expect: checks
				.optional()
				.describe(
					'Expected results for each row. Strings can contain `{{COLUMN}}`. A column `expect:NAME` checks the output NAME with `equals`.',
				),
		})
		.optional(),
	judges: judgesSchema
		.optional()
		.describe('Judges for checks, by name: {"judge": NAME}. Their agreement with labels of people is reported.'),
	gate: z
		.strictObject({
			pass_rate: z.number().optional().describe('Minimum share of test cases that pass, from 0 to 1.'),
			required: z.array(z.string().min(1)).optional().describe('Names of test cases that must pass.'),
			not_worse: z
				.enum(['strict', 'significant'])
				.optional()
				.describe(
					'"strict": no test case that passed before fails. "significant": so many failing isn\'t likely by chance (p below 0.05).',
				),
			cost: z
				.strictObject({ increase: z.number().describe('Accepted share, for example 0.1.') })
				.optional()
				.describe('Cost per test case compared with before.'),
			not_run: z.number().optional().describe("Accepted number of test cases that couldn't run. Default: 0."),
		})
		.optional()
		.describe('What must hold for `agent-workbench test` to pass, instead of all test cases.'),
	limits: z
		.strictObject({
			cost: z.number().min(0).optional(),
			tokens: z.number().min(0).optional().describe('Tokens of agents, judges and simulated users.'),
			seconds: z.number().min(0).optional(),
		})
		.optional()
		.describe("What a run of the suite may use. When it's used up, no further test case starts; the others count as not run."),
	matrix: z
		.strictObject({
			agent: z.record(z.string(), variantAxes.agent).optional().describe(label),
			models: z.record(z.string(), variantAxes.models).optional().describe(label),
			parameters: z.record(z.string(), variantAxes.parameters).optional().describe(label),
			prompts: z.record(z.string(), variantAxes.prompts).optional().describe(label),
			exclude: z
				.array(z.record(z.string(), z.string()))
				.optional()
				.describe('Combinations to skip, for example {"models": "small", "prompts": "long"}.'),
		})
		.optional()
		.describe('Variants to compare with `agent-workbench test --matrix`: all combinations of the choices.'),
	variants: z
		.array(
			z.strictObject({
				name: z.string().min(1).describe('Unique name of the variant.'),
				agent: variantAxes.agent.optional(),
				models: variantAxes.models.optional(),
				parameters: variantAxes.parameters.optional(),
				prompts: variantAxes.prompts.optional(),
			}),
		)
		.optional()
		.describe('Variants to compare, as a list instead of a `matrix`.'),
	baseline: z
		.string()
		.min(1)
		.optional()
		.describe('Name of the variant to compare the others with, for example "small/now". Default: the first one.'),
	cache: z
		.boolean()
		.optional()
		.describe('Whether to use cached model replies of the built-in gateway, so that a rerun is free and gives the same results.'),
	recordings: recordingSettingsSchema.optional(),
	repeat: z.number().optional().describe('Number of times to run each test case. Default: 1.'),
	pass_rate: z.number().optional().describe('Share of these runs that must pass, from 0 to 1. Default: 1.'),
	concurrency: z.number().optional().describe('Maximum number of concurrent runs on the connection, across all suites. Default: 4.'),
});
