import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { McpServerProvider } from '#editor/connections/gateway/mcpServers.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { isOldestEditor } from '../support/oldestEditor.ts';

const server = 'agent-workbench.agent-workbench/Agent Workbench';
const findTool = (agent: string) => vscode.lm.tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(`_${agent}`));

describe("the MCP server for VS Code's chat", () => {
	const getSettings = () => vscode.workspace.getConfiguration('agentWorkbench.mcp');

	after(async () => {
		await getSettings().update('enabled', undefined, vscode.ConfigurationTarget.Global);
	});

	it('is the built-in gateway, whose agents are callable tools', async function () {
		if (isOldestEditor()) {
			// the MCP client of this VS Code sets "Content-Length", which the fetch of this newer Node.js refuses, so it reaches no MCP
			// server
			this.skip();
		}
		await vscode.commands.executeCommand('workbench.mcp.startServer', server, { waitForLiveTools: true });
		await waitUntil('the agents are tools', () => findTool('summarize') !== undefined);
		const tool = findTool('summarize');
		assert.ok(tool);
		assert.deepEqual((tool.inputSchema as { required?: unknown }).required, ['text']);
		const { content } = await vscode.lm.invokeTool(tool.name, {
			input: { text: 'It rains.' },
			toolInvocationToken: undefined,
		});
		const text = content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
		assert.match(text, /summary/);
	});

	it('is removed if the user disables it', async () => {
		await getSettings().update('enabled', false, vscode.ConfigurationTarget.Global);
		await waitUntil('no agent is a tool', () => findTool('summarize') === undefined);
	});

	it('is listed without its key, gets the key when it starts, and restarts with the next gateway', async () => {
		const window = new ConnectionsUnderTest();
		let changes = 0;
		const servers = new McpServerProvider(window, () => {
			changes++;
		});
		try {
			await getSettings().update('enabled', undefined, vscode.ConfigurationTarget.Global);
			const [listed] = servers.listServers();
			assert.ok(listed);
			assert.deepEqual([listed.label, listed.headers], ['Agent Workbench', {}]);
			const before = changes;
			const resolved = await servers.resolveServer(listed);
			const { baseUrl, key } = await window.gateway.getEndpoint();
			assert.equal(resolved.uri.toString(true), `${baseUrl}/mcp`);
			assert.deepEqual([resolved.headers, resolved.version], [{ authorization: `Bearer ${key}` }, listed.version]);
			assert.deepEqual(listed.headers, {}, 'what is listed is kept in a file');
			assert.deepEqual([changes, servers.listServers()[0]?.version], [before, listed.version], "a start isn't a change");
			await window.gateway.restartGateway();
			assert.ok(changes > before);
			assert.notEqual(servers.listServers()[0]?.version, listed.version);
		} finally {
			servers.dispose();
			await window.dispose();
		}
	});
});
