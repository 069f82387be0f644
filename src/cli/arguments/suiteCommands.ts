import type { CommandSpec } from './commandSpec.ts';
import { json } from './commonOptions.ts';

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
];
