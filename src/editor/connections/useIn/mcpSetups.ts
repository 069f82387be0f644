import * as vscode from 'vscode';
import { quoteForShell, type Shell } from './clientSetups.ts';

/** A program that can use agents as tools through MCP. */
export interface McpSetup {
	readonly label: string;
	/** File to paste the configuration into. Absent if it's pasted into a terminal. */
	readonly file?: string;
	/** How the program gets the key: from the environment variable {@link keyVariable}, or by asking the user. */
	readonly key: 'environment' | 'asks';
	/** Returns the configuration to paste, without the key. `url` is the address of the server. */
	format(url: string, shell: Shell): string;
}

/** Name of the environment variable that programs read the key from. */
export const keyVariable = 'AGENT_WORKBENCH_KEY';

const server = 'agent-workbench';

/** The supported programs. Their configurations follow the programs' documentation as of November 2026. */
export const mcpSetups: readonly McpSetup[] = [
	{
		label: 'Claude Code',
		key: 'environment',
		format: (url, shell) =>
			`claude mcp add --transport http ${server} ${quoteForShell(url, shell)} --header ${quoteForShell(`Authorization: Bearer \${${keyVariable}}`, shell)}\n`,
	},
	{
		label: 'Codex',
		file: '~/.codex/config.toml',
		key: 'environment',
		format: url => `[mcp_servers.${server}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = ${JSON.stringify(keyVariable)}\n`,
	},
	{
		label: 'Gemini CLI',
		file: '.gemini/settings.json',
		key: 'environment',
		format: url => formatJson({ mcpServers: { [server]: { httpUrl: url, headers: createBearerHeader(`\${${keyVariable}}`) } } }),
	},
	{
		label: 'Windsurf',
		file: '~/.codeium/windsurf/mcp_config.json',
		key: 'environment',
		format: url => formatJson({ mcpServers: { [server]: { serverUrl: url, headers: createBearerHeader(`\${env:${keyVariable}}`) } } }),
	},
	{
		label: 'Cursor',
		file: '.cursor/mcp.json',
		key: 'environment',
		format: url => formatJson({ mcpServers: { [server]: { url, headers: createBearerHeader(`\${env:${keyVariable}}`) } } }),
	},
	{
		label: 'VS Code',
		file: '.vscode/mcp.json',
		key: 'asks',
		format: url =>
			formatJson({
				inputs: [{ type: 'promptString', id: `${server}-key`, description: 'Key for the Agent Workbench gateway', password: true }],
				servers: { [server]: { type: 'http', url, headers: createBearerHeader(`\${input:${server}-key}`) } },
			}),
	},
	{
		get label() {
			return vscode.l10n.t('Claude Code: project file');
		},
		file: '.mcp.json',
		key: 'environment',
		format: url => formatJson({ mcpServers: { [server]: { type: 'http', url, headers: createBearerHeader(`\${${keyVariable}}`) } } }),
	},
];

function createBearerHeader(key: string): Readonly<Record<string, string>> {
	return { Authorization: `Bearer ${key}` };
}

function formatJson(value: object): string {
	return `${JSON.stringify(value, undefined, 2)}\n`;
}
