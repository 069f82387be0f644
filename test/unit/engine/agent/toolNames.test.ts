import assert from 'node:assert/strict';
import type { AgentTool } from '#engine/agent/agentOrder.ts';
import { assignUniqueNames } from '#engine/agent/toolNames.ts';

const createTool = (name: string, provider = 'p'): AgentTool => ({
	name,
	provider,
	description: '',
	parameters: {},
	completeParameters: given => given,
	callTool: async () => ({ text: '' }),
});
const listNames = (...tools: readonly AgentTool[]) => assignUniqueNames(tools).map(({ name }) => name);

describe('names of tools in requests to models', () => {
	it('are accepted by every service, whatever files and servers are called', () => {
		const odd = ['My agent (v2)', '翻訳', '2nd', '-x', '', 'a.b/c', '__proto__', 'x'.repeat(5000), '\u{1f600}'];
		for (const name of listNames(...odd.map(each => createTool(each, 'y'.repeat(5000))))) {
			assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
		}
		assert.deepEqual(listNames(createTool('current_time')), ['current_time']);
	});

	it('differ, even if they are cut or replaced', () => {
		const long = 'x'.repeat(100);
		const given = [
			createTool('翻訳'),
			createTool('要約'),
			createTool('分類'),
			createTool(long),
			createTool(`${long}y`),
			createTool(`${long}z`),
			createTool('a', 'one'),
			createTool('a', 'two'),
		];
		const made = listNames(...given);
		assert.equal(new Set(made).size, given.length);
		assert.deepEqual(made.slice(-2), ['a', 'two_a']);
	});
});
