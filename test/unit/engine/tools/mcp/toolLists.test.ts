import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { connectToMcpServer } from '#engine/tools/mcp/mcpConnection.ts';

const program = fileURLToPath(new URL('../../../../faults/mcpAttacker.ts', import.meta.url));

describe('the tool list of an MCP server', () => {
	const listTools = async (attack: string) => {
		const settings = { command: process.execPath, args: [program, attack, ''], env: {}, timeoutMs: 60_000 };
		const connection = await connectToMcpServer(settings, { onClosed() {}, onToolsChanged() {}, onOutput() {} }, fetch);
		try {
			return await connection.listTools();
		} finally {
			await connection.close();
		}
	};

	it('ends at a page without a new tool, and has each name once', async () => {
		assert.deepEqual(
			(await listTools('endless-pages')).map(({ name }) => name),
			['use'],
		);
	}).timeout(60_000);

	it('ends before its definitions fill the memory, however large each page is', async () => {
		assert.equal((await listTools('endless-tools')).length, 17);
	}).timeout(60_000);
});
