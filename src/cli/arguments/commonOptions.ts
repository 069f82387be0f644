import type { OptionSpec } from './commandSpec.ts';

/** Options of the built-in gateway. */
export const gateway: readonly OptionSpec[] = [
	{
		name: 'agents',
		value: 'DIR',
		multiple: true,
		help: 'folder with the agent files to run, as saved on disk (default: the nearest folder named agents, here or above the file to run)',
	},
	{ name: 'config', value: 'FILE', help: "JSON file with the gateway's configuration: routes, agents, knowledge, network, engine" },
	{
		name: 'key-file',
		value: 'FILE',
		help: 'JSON file with the keys that the configuration refers to; rejected if other users can read it',
	},
	{
		name: 'data',
		value: 'DIR',
		help: 'folder for stored runs and interrupted batches, which can be resumed (default: a temporary folder)',
	},
];

/** Options of commands that use a service. */
export const service: readonly OptionSpec[] = [
	...gateway,
	{ name: 'base-url', value: 'URL', help: 'service to use instead of the built-in gateway' },
	{
		name: 'kind',
		value: 'KIND',
		help: 'kind of service at --base-url: gateway (default), dify, anthropic, gemini, anthropic-compatible, openai',
	},
	{ name: 'api-key-env', value: 'NAME', help: 'environment variable with the key of that service (default: AGENT_WORKBENCH_KEY)' },
];
export const json: OptionSpec = { name: 'json', help: 'print one JSON object per line to standard output' };
export const github: OptionSpec = { name: 'github', help: 'report problems as GitHub Actions annotations' };

export const recordings: readonly OptionSpec[] = [
	{
		name: 'record',
		value: 'MODE',
		optional: true,
		help: 'record replies: once (default; only if no recording exists), new (missing ones) or all (again)',
	},
	{ name: 'replay', help: 'use only recorded replies; nothing is called (default if CI is set and there is a recording)' },
	{
		name: 'drift',
		value: 'N',
		optional: true,
		help: 'compare recorded replies (at most N) with live ones, and exit with 1 if they differ',
	},
	{ name: 'recording', value: 'FILE', help: 'recording to use (default: NAME.run.recording.yaml or NAME.suite.recording.yaml)' },
];
