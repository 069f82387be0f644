import assert from 'node:assert/strict';
import { createToolNames } from '#gateway/mcp/toolNames.ts';

const namesOf = (...agents: string[]) => [...createToolNames(agents).keys()];

describe('names of tools', () => {
	it('are those of the agents where they can be', () => {
		assert.deepEqual(namesOf('greeter', 'write-article', 'v2_final'), ['greeter', 'write-article', 'v2_final']);
	});

	it('are made of those that cannot', () => {
		assert.deepEqual(namesOf('Übersetzer (neu)', 'a.b', 'two words'), ['Ubersetzer_neu', 'a_b', 'two_words']);
	});

	it('are no two the same, and a name that fits stays with its agent', () => {
		const names = createToolNames(['a b', 'a.b', 'a_b']);
		assert.equal(names.get('a_b'), 'a_b');
		assert.equal(names.size, 3);
		assert.deepEqual(new Set(names.values()), new Set(['a b', 'a.b', 'a_b']));
		for (const name of names.keys()) {
			assert.match(name, /^a_b(_[0-9a-f]{8})?$/);
		}
	});

	it('are there for names without a letter, and of a length that all clients take', () => {
		const [chinese, other, long, longer] = namesOf('翻译', '总结', 'x'.repeat(70), 'x'.repeat(71));
		assert.match(chinese ?? '', /^agent_[0-9a-f]{8}$/);
		assert.match(other ?? '', /^agent_[0-9a-f]{8}$/);
		assert.notEqual(chinese, other);
		assert.match(long ?? '', /^x{55}_[0-9a-f]{8}$/);
		assert.notEqual(long, longer);
	});
});
