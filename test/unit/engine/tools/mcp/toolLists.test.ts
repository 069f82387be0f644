import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { connectToMcpServer } from '#engine/tools/mcp/mcpConnection.ts';

const program = fileURLToPath(new URL('../../../../faults/mcpAttacker.ts', import.meta.url));

describe('the tool list of an MCP server', () => {
	it('ends at a page without a new tool, and has each name once', async () => {
		const settings = { command: process.execPath, args: [program, 'endless-pages', ''], env: {}, timeoutMs: 60_000 };
		const connection = await connectToMcpServer(settings, { onClosed() {}, onToolsChanged() {}, onOutput() {} }, fetch);
		try {
			assert.deepEqual(
				(await connection.listTools()).map(({ name }) => name),
				['use'],
			);
		} finally {
			await connection.close();
		}
	}).timeout(60_000);
});
