import type { CommandSpec, OptionSpec } from './commandSpec.ts';
import { json, service } from './commonOptions.ts';

const rows: readonly OptionSpec[] = [
	...service,
	{ name: 'count', value: 'N', help: 'number of rows (default: 20)' },
	{ name: 'out', value: 'FILE', help: 'JSONL file to write; without it, the rows are only printed' },
	{ name: 'overwrite', help: 'overwrite FILE if it exists' },
];
const seed: OptionSpec = { name: 'seed', value: 'TEXT', help: 'the same seed gives the same rows (default: 1)' };
const rowNotes = `Columns that start with $ are not inputs. Use the file as the dataset of a suite.
Exit codes: 0 done, 1 a generated input failed (with --run), 2 an error in files or setup, 3 the service couldn't be reached,
130 interrupted.
`;

/** Commands for suites and their results, other than `test`. */
export const suiteCommands: readonly CommandSpec[] = [
	{
		name: 'trend',
		operands: 'SUITE...',
		summary: 'show how the results of suites changed, from their history files (see test --history)',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [{ name: 'last', value: 'N', help: 'number of results to show (default: 30)' }, json],
		notes: 'Exit codes: 0 done, 2 an error in files or options.\n',
	},
	{
		name: 'import',
		operands: 'FILE',
		summary: "make a suite from a file of promptfoo, LangSmith, Langfuse, Inspect or openai/evals, and list what it doesn't map",
		least: 1,
		most: 1,
		options: [
			{ name: 'out', value: 'FILE', help: 'suite to write (default: NAME.suite.json next to FILE)' },
			{ name: 'overwrite', help: 'overwrite the suite if it exists' },
			{ name: 'agent', value: 'NAME', help: 'agent to test, instead of the prompts and models of FILE' },
			{ name: 'output', value: 'NAME', help: 'output of the agent to check (default: text)' },
			{ name: 'model', value: 'NAME', help: 'model to test, instead of those in FILE' },
			{ name: 'strict', help: "fail if something isn't mapped" },
			json,
		],
		notes: `Nothing is run: scripts in FILE are listed, and only files in its folder are read.
Exit codes: 0 done, 1 something isn't mapped (with --strict), 2 an error in files or options.
`,
	},
	{
		name: 'export',
		operands: 'SUITE',
		summary: "write a suite as a file of another tool, and list what it doesn't have",
		least: 1,
		most: 1,
		options: [
			{ name: 'format', value: 'FORMAT', help: 'promptfoo (default), inspect, or jsonl (as LangSmith reads it)' },
			{ name: 'out', value: 'FILE', help: 'file to write (default: next to SUITE)' },
			{ name: 'overwrite', help: 'overwrite FILE if it exists' },
			{ name: 'output', value: 'NAME', help: 'output that is checked (default: text, or answer for an agent)' },
			{ name: 'strict', help: "fail if something isn't exported" },
		],
		notes: "Exit codes: 0 done, 1 something isn't exported (with --strict), 2 an error in files or options.\n",
	},
	{
		name: 'dataset runs',
		operands: 'AGENT',
		summary: 'make rows from past runs: failures and rare paths first, without near-duplicates, personal data masked',
		least: 1,
		most: 1,
		options: [
			...rows,
			seed,
			{ name: 'last', value: 'N', help: 'number of past runs to choose from (default: 500)' },
			{ name: 'expect', help: 'add the outputs of successful runs as expected values' },
		],
		notes: rowNotes,
	},
	{
		name: 'dataset inputs',
		operands: 'AGENT',
		summary: "make rows from the agent's inputs: bounds, empty and long values, Unicode",
		least: 1,
		most: 1,
		options: [
			...rows,
			seed,
			{ name: 'run', help: 'run the rows, and keep those that fail, made as simple as possible' },
			{ name: 'mocks', value: 'FILE', help: 'with --run, JSON file with mocks by node ID' },
		],
		notes: rowNotes,
	},
	{
		name: 'dataset model',
		operands: 'AGENT',
		summary: "let a model write rows that fit the agent's inputs",
		least: 1,
		most: 1,
		options: [
			...rows,
			{ name: 'model', value: 'NAME', help: 'model that writes the rows; it must support tools (default: the first one listed)' },
			{ name: 'about', value: 'TEXT', help: 'what the rows should be about' },
		],
		notes: rowNotes,
	},
];
