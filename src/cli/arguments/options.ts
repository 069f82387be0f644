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

const dify: readonly OptionSpec[] = [
	{ name: 'origin', value: 'URL', help: 'the deployment that the token is for, and that alone it is sent to (default: DIFY_SERVER)' },
	{
		name: 'token-env',
		value: 'NAME',
		help: 'environment variable with the token of a sign-in, or, up to Dify 1.14, with the ADMIN_API_KEY (default: DIFY_TOKEN)',
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
		summary: 'runs suites: the cases of *.suite.json files with their checks (default: **/*.suite.json)',
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
		operands: 'FILE',
		summary: 'runs a run file (*.run.json) and shows its nodes as they run',
		least: 1,
		most: 1,
		options: [...service, json],
		notes: 'Exit codes: 0 succeeded, 1 the run failed, 2 a fault in files or set-up, 3 the service was not reached, 130 interrupted.\n',
	},
	{
		name: 'check',
		operands: 'AGENT...',
		summary: 'says what is wrong with agent files, with line and path: files, globs, or names of agents in --agents',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [...gateway, github, json],
		notes: 'Exit codes: 0 no errors (there can be warnings), 2 errors.\n',
	},
	{
		name: 'serve',
		operands: '',
		summary: 'the built-in gateway: agents, conversations and text generation over HTTP',
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
			{ name: 'set-aside-store', help: 'begin a new store where the old one is damaged, which is kept beside it' },
			{ name: 'ready-json', help: 'print one JSON line when it listens, with address and key' },
			{ name: 'log', value: 'FORM', help: 'form of the log on standard error: text (default) or json' },
		],
		notes: 'Ends with Ctrl-C, in order: runs that go on are stopped and written.\n',
	},
	{
		name: 'dify pull',
		operands: 'FILE...',
		summary: 'agent files become what their apps in Dify are; what was changed here stays, unless --overwrite',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: [
			...dify,
			{ name: 'app', value: 'ID', help: 'for a first pull: the app that FILE is to be of' },
			{ name: 'workspace', value: 'ID', help: "for a first pull: the app's workspace (default: the account's current one)" },
			{ name: 'overwrite', help: 'overwrite what was changed here; it is kept as a backup' },
			kept,
		],
		notes: difyNotes,
	},
	{
		name: 'dify push',
		operands: 'FILE...',
		summary: 'the drafts of apps in Dify become what agent files say; what was changed there stays, unless --overwrite',
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
		summary: 'says how agent files differ from their apps in Dify, node by node',
		least: 1,
		most: Number.POSITIVE_INFINITY,
		options: dify,
		notes: difyNotes,
	},
	{
		name: 'dify publish',
		operands: 'FILE',
		summary: 'publishes the draft of an app in Dify, if it is what the agent file says',
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
