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
			{ name: 'api-key-file', value: 'FILE', help: 'file with the key that clients must send (default: a random key, DIR/gateway.key)' },
			{ name: 'max-concurrent-runs', value: 'N', help: 'runs at a time (default 256)' },
			{ name: 'retention-days', value: 'N', help: 'days that finished runs, uploads and responses are kept (default 0: for ever)' },
			{ name: 'set-aside-store', help: 'begin a new store where the old one is damaged, which is kept beside it' },
			{ name: 'ready-json', help: 'print one JSON line when it listens, with address and key' },
			{ name: 'log', value: 'FORM', help: 'form of the log on standard error: text (default) or json' },
		],
		notes: 'Ends with Ctrl-C, in order: runs that go on are stopped and written.\n',
	},
];
