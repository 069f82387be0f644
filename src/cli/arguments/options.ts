/** One option of a command, `--NAME`. */
export interface OptionSpec {
	readonly name: string;
	/** What stands for its value in the help; absent for a switch. */
	readonly value?: string;
	/** Whether it may be given several times. */
	readonly multiple?: true;
	readonly help: string;
}

/** One command: `agent-workbench NAME`. */
export interface CommandSpec {
	readonly name: string;
	/** What follows the name, for the help. */
	readonly operands: string;
	readonly summary: string;
	readonly options: readonly OptionSpec[];
	/** Fewest and most operands. */
	readonly least: number;
	readonly most: number;
	/** What the help says below the options. */
	readonly notes: string;
}

const gateway: readonly OptionSpec[] = [
	{
		name: 'agents',
		value: 'DIR',
		multiple: true,
		help: 'folder of agent files for the built-in gateway, drafts as they stand (default: agents, here or nearest above what is run)',
	},
	{ name: 'config', value: 'FILE', help: "the gateway's configuration: routes, agents, knowledge, network, engine" },
	{ name: 'key-file', value: 'FILE', help: 'JSON file with the keys that the configuration names; refused if others can read it' },
	{ name: 'data', value: 'DIR', help: 'folder of what is kept: runs, and batches that go on where they ended (default: a temporary one)' },
];
const service: readonly OptionSpec[] = [
	...gateway,
	{ name: 'base-url', value: 'URL', help: 'a service that is there already, in place of the built-in gateway' },
	{ name: 'kind', value: 'KIND', help: 'what stands there: gateway (default), dify, anthropic, gemini, anthropic-compatible, openai' },
	{ name: 'api-key-env', value: 'NAME', help: 'environment variable with its key (default: AGENT_WORKBENCH_KEY)' },
];
const json: OptionSpec = { name: 'json', help: 'one JSON object a line on standard output, for programs' };
const github: OptionSpec = { name: 'github', help: 'faults as annotations of GitHub Actions' };

const origin: OptionSpec = {
	name: 'origin',
	value: 'URL',
	help: 'the deployment to work with; its token is sent nowhere else (default: DIFY_SERVER, else the one you signed in to)',
};
const workspace: OptionSpec = {
	name: 'workspace',
	value: 'ID',
	help: "workspace of the apps (default: the file's, else the account's current one)",
};
const dify: readonly OptionSpec[] = [
	origin,
	{
		name: 'token-env',
		value: 'NAME',
		help: 'environment variable with a token, or, up to Dify 1.14, with the ADMIN_API_KEY (default: DIFY_TOKEN, else what dify login stored)',
	},
	json,
];
const kept: OptionSpec = {
	name: 'backups',
	value: 'DIR',
	help: 'where texts are kept before they are overwritten (default: a folder of this account, which is told)',
};
const difyNotes = `FILE: agent files, globs of some, or folders, in which those are meant that have a sidecar NAME.dify.json.
Exit codes: 0 done, 1 it differs, or was not done so that nothing is lost, 2 a fault in files or set-up,
3 the deployment was not reached, or nobody knows whether it did what was asked, 130 interrupted.
`;

const exitNotes = `Exit codes: 0 all passed, 1 a check failed, 2 a fault in files or set-up, 3 the service was not reached,
130 interrupted (runs are stopped at the service first; Ctrl-C again ends at once).
`;

/** All commands. */
export const commands: readonly CommandSpec[] = [
	{
		name: 'test',
		operands: '[GLOB...]',
		summary: 'run test suites, the cases of *.suite.json files (default: **/*.suite.json)',
		least: 0,
		most: Number.POSITIVE_INFINITY,
		options: [
			...service,
			{ name: 'filter', value: 'TEXT', help: 'only cases whose name, or whose suite, has this text' },
			{ name: 'concurrency', value: 'N', help: 'runs at a time, in place of what the suites say' },
			{ name: 'repeat', value: 'N', help: 'runs of each case, in place of what the suites say' },
			{ name: 'bail', help: 'end with the first case that fails' },
			{ name: 'update', help: 'accept what came where a snapshot differs or is missing' },
			{ name: 'baseline', value: 'FILE', help: 'results of an earlier run (as --json wrote them) to compare with' },
			{ name: 'junit', value: 'FILE', help: 'results as JUnit XML' },
			{ name: 'markdown', value: 'FILE', help: 'results as Markdown; behind what is there where it is the summary of a GitHub job' },
			{ name: 'coverage', value: 'FILE', help: 'nodes and ways out of agent files that ran, as lcov' },
			github,
			json,
		],
		notes: exitNotes,
	},
	{
		name: 'run',
		operands: 'FILE|AGENT',
		summary: 'run a run file (*.run.json), or an agent by its name, and show its nodes as they run',
		least: 1,
		most: 1,
		options: [
			...service,
			{
				name: 'input',
				value: 'NAME=VALUE',
				multiple: true,
				help: 'input in place of the one in the file; NAME=@FILE takes the text of a file',
			},
			{
				name: 'answer',
				value: 'ACTION',
				multiple: true,
				help: 'action that answers a form the run waits for; the second answers the second form',
			},
			{ name: 'field', value: 'NAME=VALUE', multiple: true, help: 'field of such a form; what is not given keeps its default' },
			json,
		],
		notes: `Outputs go to standard output as JSON, all else to standard error. With --json, standard output has the events instead.
Without --answer, a form is asked on a terminal; elsewhere the run is left waiting (with --data DIR or --base-url) or ends.
Exit codes: 0 succeeded, 1 the run failed or waits, 2 a fault in files or set-up, 3 the service was not reached, 130 interrupted.
`,
	},
	{
		name: 'check',
		operands: 'AGENT...',
		summary: 'report problems in agent files with line and path: files, globs, or names of agents in --agents',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [...gateway, { name: 'strict', help: 'fail on warnings too' }, github, json],
		notes: 'Exit codes: 0 no errors (there can be warnings, but not with --strict), 2 errors.\n',
	},
	{
		name: 'serve',
		operands: '',
		summary: 'serve agents, conversations and text generation over HTTP: the built-in gateway',
		least: 0,
		most: 0,
		options: [
			...gateway,
			{ name: 'port', value: 'N', help: 'port to listen on (default 0: any free port)' },
			{ name: 'host', value: 'ADDR', help: 'address to listen on (default 127.0.0.1); another one needs --api-key-file' },
			{ name: 'allow-host', value: 'NAME', multiple: true, help: 'name that clients may call it by, besides its address' },
			{ name: 'allow-origin', value: 'ORIGIN', multiple: true, help: 'origin of web pages that may use it, as in http://localhost:3000' },
			{ name: 'api-key-file', value: 'FILE', help: 'file with the key that clients must send (default: a random key, DIR/gateway.key)' },
			{ name: 'max-concurrent-runs', value: 'N', help: 'runs at a time (default 256)' },
			{ name: 'retention-days', value: 'N', help: 'days that finished runs, uploads and responses are kept (default 0: for ever)' },
			{ name: 'set-aside-store', help: 'move a damaged store aside and start a new one' },
			{ name: 'ready-json', help: 'print one JSON line when it listens, with address and key' },
			{ name: 'log', value: 'FORM', help: 'form of the log on standard error: text (default) or json' },
		],
		notes: 'Ends with Ctrl-C, in order: runs that go on are stopped and written.\n',
	},
	{
		name: 'dify login',
		operands: '',
		summary: 'sign in to a Dify deployment by a code that you confirm in a browser, and store or print the token',
		least: 0,
		most: 0,
		options: [
			{ ...origin, help: 'the deployment to sign in to (default: DIFY_SERVER, else https://cloud.dify.ai)' },
			{ name: 'print-token', help: 'print the token to standard output for the secrets of your CI, and store nothing' },
			{ name: 'client-id', value: 'ID', help: 'client ID that the deployment knows (default: difyctl)' },
		],
		notes: `Needs Dify 1.15 or later. The token is stored in a file that only you can read, and expires: after two weeks unless the deployment
says otherwise. Signing in again on this machine revokes the token before it, so give CI a machine or account of its own.
`,
	},
	{
		name: 'dify logout',
		operands: '',
		summary: 'revoke the token that dify login stored, and forget it',
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
		notes: 'Exit codes: 0 done, 2 a fault in set-up, 3 the deployment was not reached, 130 interrupted.\n',
	},
	{
		name: 'dify pull',
		operands: 'FILE...',
		summary: 'update agent files from their Dify apps; local changes are kept unless --overwrite',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [
			...dify,
			{ name: 'app', value: 'ID', help: 'for a first pull: the app to pull into FILE; dify apps lists IDs' },
			workspace,
			{ name: 'overwrite', help: 'overwrite what was changed here; it is kept as a backup' },
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
			{ name: 'overwrite', help: 'overwrite what was changed there since the pull; it is kept as a backup' },
			{ name: 'confirm', help: 'take files of another version of the format, where the deployment asks' },
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
			{ name: 'comment', value: 'TEXT', help: 'what it changes, up to 100 characters' },
			{ name: 'draft', help: 'publish the draft though it is not what the file says' },
		],
		notes: difyNotes,
	},
];
