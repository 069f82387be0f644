import type { CommandSpec, OptionSpec } from './commandSpec.ts';
import { gateway, github, json, recordings, service } from './commonOptions.ts';
import { suiteCommands } from './suiteCommands.ts';

const origin: OptionSpec = {
	name: 'origin',
	value: 'URL',
	help: 'Dify server to use; its token is never sent elsewhere (default: DIFY_SERVER, then the server you signed in to)',
};
const workspace: OptionSpec = {
	name: 'workspace',
	value: 'ID',
	help: "workspace of the apps (default: the one the file is linked to, then the account's current one)",
};
const dify: readonly OptionSpec[] = [
	origin,
	{
		name: 'token-env',
		value: 'NAME',
		help: 'environment variable with a token or, up to Dify 1.14, with the ADMIN_API_KEY (default: DIFY_TOKEN, then the token stored by dify login)',
	},
	json,
];
const kept: OptionSpec = {
	name: 'backups',
	value: 'DIR',
	help: 'folder for backups of overwritten files and apps (default: a folder of the current user, shown in the output)',
};
const difyNotes = `FILE: agent files, globs, or folders (all agent files in them that have a sidecar NAME.dify.json).
Exit codes: 0 done, 1 there are differences, or nothing was changed to avoid losing work, 2 an error in files or setup,
3 the server couldn't be reached, or the outcome is unknown, 130 interrupted.
`;

const exitNotes = `Exit codes: 0 all passed, 1 a check failed, 2 an error in files or setup, 3 the service couldn't be reached,
130 interrupted (runs are stopped on the service first; press Ctrl-C again to exit immediately).
`;

export const commands: readonly CommandSpec[] = [
	{
		name: 'test',
		operands: '[GLOB...]',
		summary: 'run the test cases of suites (default: **/*.suite.json)',
		least: 0,
		most: Number.POSITIVE_INFINITY,
		options: [
			...service,
			{ name: 'filter', value: 'TEXT', help: 'run only cases whose name or suite name contains this text' },
			{ name: 'concurrency', value: 'N', help: 'number of concurrent runs; overrides the suites' },
			{ name: 'repeat', value: 'N', help: 'number of runs per case; overrides the suites' },
			{ name: 'bail', help: 'stop after the first failed case' },
			{ name: 'update', help: 'update snapshots that differ or are missing' },
			{ name: 'baseline', value: 'FILE', help: 'earlier results to compare with, as written by --json' },
			{
				name: 'judge-again',
				value: 'FILE',
				help: 'let the judges grade the outputs of earlier results, as written by --json; no agent runs, and other checks keep their results',
			},
			{ name: 'history', help: "add the results to the suites' history files, NAME.suite.history.jsonl, which gates compare with" },
			{ name: 'matrix', help: 'compare the variants of suites that have any; the cost is estimated and confirmed first' },
			{ name: 'yes', help: 'with --matrix, start without being asked' },
			{ name: 'junit', value: 'FILE', help: 'write results as JUnit XML' },
			{ name: 'markdown', value: 'FILE', help: 'write results as Markdown; appended if FILE is the summary of a GitHub job' },
			{ name: 'comment', value: 'FILE', help: 'write the verdict and the 20 worst cases as Markdown, for a comment on a pull request' },
			{ name: 'coverage', value: 'FILE', help: 'write coverage of nodes and branches as lcov' },
			...recordings,
			github,
			json,
		],
		notes: exitNotes,
	},
	{
		name: 'run',
		operands: 'FILE|AGENT',
		summary: 'run a run file (*.run.json) or an agent by name, and show its nodes as they run',
		least: 1,
		most: 1,
		options: [
			...service,
			{
				name: 'input',
				value: 'NAME=VALUE',
				multiple: true,
				help: 'input that replaces the one in the file; NAME=@FILE reads it from a file',
			},
			{
				name: 'answer',
				value: 'ACTION',
				multiple: true,
				help: 'action to choose in a form that the run waits for; the second one is for the second form',
			},
			{ name: 'field', value: 'NAME=VALUE', multiple: true, help: 'value for a field of such a form; other fields keep their defaults' },
			...recordings,
			json,
		],
		notes: `Outputs go to standard output as JSON, everything else to standard error. With --json, standard output has the events instead.
Without --answer, forms are shown on a terminal. Without a terminal, the run stays paused (with --data DIR or --base-url) or ends.
Exit codes: 0 succeeded, 1 the run failed or is waiting for input, 2 an error in files or setup, 3 the service couldn't be reached, 130 interrupted.
`,
	},
	{
		name: 'check',
		operands: 'AGENT...',
		summary: 'report problems in agent files (files, globs, or names of agents in --agents) with line and path',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [...gateway, { name: 'strict', help: 'fail on warnings too' }, github, json],
		notes: 'Exit codes: 0 no errors (and no warnings with --strict), 2 errors.\n',
	},
	{
		name: 'serve',
		operands: '',
		summary: 'start the built-in gateway, which serves agents, conversations and text generation over HTTP',
		least: 0,
		most: 0,
		options: [
			...gateway,
			{ name: 'port', value: 'N', help: 'port to listen on (default 0: any free port)' },
			{ name: 'host', value: 'ADDR', help: 'address to listen on (default 127.0.0.1); any other needs --api-key-file' },
			{ name: 'allow-host', value: 'NAME', multiple: true, help: 'host name that clients may use in addition to the address' },
			{
				name: 'allow-origin',
				value: 'ORIGIN',
				multiple: true,
				help: 'origin of web pages that may use it, for example http://localhost:3000',
			},
			{
				name: 'api-key-file',
				value: 'FILE',
				help: 'file with the key that clients must send (default: a random key, saved in DIR/gateway.key)',
			},
			{ name: 'max-concurrent-runs', value: 'N', help: 'maximum number of concurrent runs (default 256)' },
			{ name: 'retention-days', value: 'N', help: 'days to keep finished runs, uploads and responses (default 0: forever)' },
			{ name: 'set-aside-store', help: 'move a damaged store aside and start a new one' },
			{ name: 'ready-json', help: 'print one JSON line with the address and key when ready' },
			{ name: 'log', value: 'FORM', help: 'format of the log on standard error: text (default) or json' },
		],
		notes: 'Press Ctrl-C to stop it. Active runs are stopped and saved first.\n',
	},
	...suiteCommands,
	{
		name: 'dify login',
		operands: '',
		summary: 'sign in to a Dify server with a code that you confirm in a browser, and store or print the token',
		least: 0,
		most: 0,
		options: [
			{ ...origin, help: 'Dify server to sign in to (default: DIFY_SERVER, then https://cloud.dify.ai)' },
			{ name: 'print-token', help: "print the token to standard output, for example for CI secrets, and don't store it" },
			{ name: 'client-id', value: 'ID', help: 'client ID registered on the server (default: difyctl)' },
		],
		notes: `Needs Dify 1.15 or later. The token is stored in a file that only you can read. It expires after two weeks unless the server
is set up differently. Signing in again on this machine revokes the previous token, so use a separate machine or account for CI.
`,
	},
	{
		name: 'dify logout',
		operands: '',
		summary: 'revoke and delete the token stored by dify login',
		least: 0,
		most: 0,
		options: [origin],
		notes: '',
	},
	{
		name: 'dify apps',
		operands: '',
		summary: 'list the apps of a Dify workspace with their IDs',
		least: 0,
		most: 0,
		options: [...dify, workspace],
		notes: "Exit codes: 0 done, 2 an error in setup, 3 the server couldn't be reached, 130 interrupted.\n",
	},
	{
		name: 'dify pull',
		operands: 'FILE...',
		summary: 'update agent files from their Dify apps; local changes are kept unless --overwrite',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [
			...dify,
			{ name: 'app', value: 'ID', help: 'ID of the app to pull into FILE, for a first pull (dify apps lists the IDs)' },
			workspace,
			{ name: 'overwrite', help: 'overwrite local changes, keeping a backup' },
			kept,
		],
		notes: difyNotes,
	},
	{
		name: 'dify push',
		operands: 'FILE...',
		summary: 'update the drafts of Dify apps from agent files; changes in Dify are kept unless --overwrite',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [
			...dify,
			{ name: 'overwrite', help: 'overwrite changes made in Dify since the pull, keeping a backup' },
			{ name: 'confirm', help: 'accept files of another format version if the server asks for confirmation' },
			kept,
		],
		notes: difyNotes,
	},
	{
		name: 'dify diff',
		operands: 'FILE...',
		summary: 'show how agent files differ from their Dify apps, node by node, and what a push would lose',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: dify,
		notes: difyNotes,
	},
	{
		name: 'dify publish',
		operands: 'FILE',
		summary: 'publish the draft of a Dify app if it matches the agent file',
		least: 1,
		most: 1,
		options: [
			...dify,
			{ name: 'name', value: 'TEXT', help: 'name of the version, up to 20 characters' },
			{ name: 'comment', value: 'TEXT', help: 'description of the version, up to 100 characters' },
			{ name: 'draft', help: "publish the draft even if it doesn't match the file" },
		],
		notes: difyNotes,
	},
];
