import assert from 'node:assert/strict';
import { readArguments } from '#gateway/mcp/callArguments.ts';

describe('the arguments of an MCP call', () => {
	it('are refused with the name of the first that the agent does not have, unless it accepts others', async () => {
		const given = { topic: 'rain', tone: 'dry' };
		await assert.rejects(readArguments({ inputs: [], others: false }, given, {} as never), { message: "Unknown input 'topic'" });
		assert.deepEqual((await readArguments({ inputs: [], others: true }, given, {} as never)).inputs, given);
	});
});
