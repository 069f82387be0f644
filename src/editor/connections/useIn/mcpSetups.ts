import { quoteForShell, type Shell } from './clientSetups.ts';

/** A program that can use agents as tools of an MCP server. */
export interface McpSetup {
	readonly label: string;
	/** Where what is copied belongs; absent: a terminal. */
	readonly file?: string;
	/** Where it takes the key from: the environment variable {@link keyVariable}, or the user, whom it asks. */
	readonly key: 'environment' | 'asks';
	/** What to paste; the key does not stand in it. `url`: address of the server. */
	text(url: string, shell: Shell): string;
}

/** Environment variable that programs take the key from. */
export const keyVariable = 'AGENT_WORKBENCH_KEY';

const server = 'agent-workbench';

/** The configuration that each program wants, as its documentation of November 2026 has it. */
export const mcpSetups: readonly McpSetup[] = [
	{
		label: 'Claude Code',
		key: 'environment',
		text: (url, shell) =>
			`claude mcp add --transport http ${server} ${quoteForShell(url, shell)} --header ${quoteForShell(`Authorization: Bearer \${${keyVariable}}`, shell)}\n`,
	},
	{
		label: 'Cursor',
		file: '.cursor/mcp.json',
		key: 'environment',
		text: url => json({ mcpServers: { [server]: { url, headers: bearer(`\${env:${keyVariable}}`) } } }),
	},
	{
		label: 'VS Code',
		file: '.vscode/mcp.json',
		key: 'asks',
		text: url =>
			json({
				inputs: [{ type: 'promptString', id: `${server}-key`, description: 'Key of the Agent Workbench gateway', password: true }],
				servers: { [server]: { type: 'http', url, headers: bearer(`\${input:${server}-key}`) } },
			}),
	},
	{
		label: 'Claude Code, file of a project',
		file: '.mcp.json',
		key: 'environment',
		text: url => json({ mcpServers: { [server]: { type: 'http', url, headers: bearer(`\${${keyVariable}}`) } } }),
	},
];

function bearer(key: string): Readonly<Record<string, string>> {
	return { Authorization: `Bearer ${key}` };
}

function json(value: object): string {
	return `${JSON.stringify(value, undefined, 2)}\n`;
}
