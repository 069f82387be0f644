import assert from 'node:assert/strict';
import { filledVariables, keptVariables } from '#gateway/chat/conversationVariables.ts';

const agentWith = (KEY: string) => ({ secretNames: ['KEY'], environment: { KEY } });
const agent = agentWith('sk-secret');

describe('conversation variables as they are kept', () => {
	it('hold no secrets, and have them again at the next turn', () => {
		const kept = keptVariables({ key: '', list: [] }, agent)({ key: 'is sk-secret', list: [{ 'sk-secret': 1 }] })('{}');
		assert.ok(!kept.includes('sk-secret'), kept);
		assert.deepEqual(filledVariables(kept, agent), { key: 'is sk-secret', list: [{ 'sk-secret': 1 }] });
		assert.deepEqual(filledVariables(kept, agentWith('other')), { key: 'is other', list: [{ other: 1 }] });
	});

	it('keep their secrets over a turn that has none', () => {
		const first = keptVariables({}, agent)({ key: 'is sk-secret', count: 1 })('{}');
		const without = agentWith('');
		const before = filledVariables(first, without);
		assert.deepEqual(before, { key: 'is ', count: 1 });
		const second = keptVariables(before, without)({ ...before, count: 2 })(first);
		assert.deepEqual(filledVariables(second, agent), { key: 'is sk-secret', count: 2 });
	});

	it('are those of turns that ended meanwhile where this one has not changed them', () => {
		const before = { a: 'sk-secret', b: 'old', c: 'old' };
		const meanwhile = keptVariables(before, agent)({ ...before, b: 'theirs' })('{}');
		const kept = keptVariables(before, agent)({ ...before, c: 'mine sk-secret' })(meanwhile);
		assert.deepEqual(filledVariables(kept, agent), { a: 'sk-secret', b: 'theirs', c: 'mine sk-secret' });
	});

	it('are read as they were kept before there were marks', () => {
		const old = JSON.stringify({ marks: '⟦0 KEY⟧', variables: 2 });
		assert.deepEqual(filledVariables(old, agent), JSON.parse(old));
		assert.deepEqual(filledVariables(keptVariables({}, agent)({ n: 1 })(old), agent), { ...JSON.parse(old), n: 1 });
	});
});
