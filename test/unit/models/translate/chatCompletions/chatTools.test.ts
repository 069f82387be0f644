import assert from 'node:assert/strict';
import { readChatTools } from '#models/translate/chatCompletions/chatTools.ts';

describe('tools of chat completions', () => {
	it('keep their schemas, and take no arguments without one', () => {
		const parameters = { type: 'object', properties: { city: { type: 'string' } } };
		const tools = readChatTools(
			[
				{ type: 'function', function: { name: 'weather', description: 'The weather.', parameters, strict: true } },
				{ type: 'function', function: { name: 'time' } },
			],
			[],
		);
		assert.deepEqual(tools, [
			{ type: 'function', name: 'weather', description: 'The weather.', inputSchema: parameters, strict: true },
			{ type: 'function', name: 'time', inputSchema: { type: 'object', properties: {} } },
		]);
	});
});
