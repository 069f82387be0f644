import assert from 'node:assert/strict';
import { createToolNames } from '#gateway/mcp/toolNames.ts';

const listNames = (...agents: string[]) => [...createToolNames(agents).keys()];

describe('tool names', () => {
	it("are the agents' names if these are valid", () => {
		assert.deepEqual(listNames('greeter', 'write-article', 'v2_final'), ['greeter', 'write-article', 'v2_final']);
	});

	it('are derived from invalid ones', () => {
		assert.deepEqual(listNames('Übersetzer (neu)', 'a.b', 'two words'), ['Ubersetzer_neu', 'a_b', 'two_words']);
	});

	it('are unique, and a valid name stays with its agent', () => {
		const names = createToolNames(['a b', 'a.b', 'a_b']);
		assert.equal(names.get('a_b'), 'a_b');
		assert.equal(names.size, 3);
		assert.deepEqual(new Set(names.values()), new Set(['a b', 'a.b', 'a_b']));
		for (const name of names.keys()) {
			assert.match(name, /^a_b(_[0-9a-f]{8})?$/);
		}
	});

	it('exist for names without letters, and have a length that all clients accept', () => {
		const [chinese, other, long, longer] = listNames('翻译', '总结', 'x'.repeat(70), 'x'.repeat(71));
		assert.match(chinese ?? '', /^agent_[0-9a-f]{8}$/);
		assert.match(other ?? '', /^agent_[0-9a-f]{8}$/);
		assert.notEqual(chinese, other);
		assert.match(long ?? '', /^x{55}_[0-9a-f]{8}$/);
		assert.notEqual(long, longer);
	});

	it("don't lead to another agent that is named like a tool", () => {
		const [derived = ''] = listNames('翻译');
		const names = createToolNames(['翻译', derived]);
		assert.equal(names.get(derived), derived);
		assert.deepEqual(new Set(names.values()), new Set(['翻译', derived]));
	});
});
