import assert from 'node:assert/strict';
import { createVariableKeeper, fillVariables } from '#gateway/chat/conversationVariables.ts';

const createAgentWith = (KEY: string) => ({ secretNames: ['KEY'], environment: { KEY } });
const agent = createAgentWith('sk-secret');

describe('stored conversation variables', () => {
	it('contain no secrets, and get them back at the next turn', () => {
		const kept = createVariableKeeper({ key: '', list: [] }, agent)({ key: 'is sk-secret', list: [{ 'sk-secret': 1 }] })('{}');
		assert.ok(!kept.includes('sk-secret'), kept);
		assert.deepEqual(fillVariables(kept, agent), { key: 'is sk-secret', list: [{ 'sk-secret': 1 }] });
		assert.deepEqual(fillVariables(kept, createAgentWith('other')), { key: 'is other', list: [{ other: 1 }] });
	});

	it('keep their secrets during a turn without secrets', () => {
		const first = createVariableKeeper({}, agent)({ key: 'is sk-secret', count: 1 })('{}');
		const without = createAgentWith('');
		const before = fillVariables(first, without);
		assert.deepEqual(before, { key: 'is ', count: 1 });
		const second = createVariableKeeper(before, without)({ ...before, count: 2 })(first);
		assert.deepEqual(fillVariables(second, agent), { key: 'is sk-secret', count: 2 });
	});

	it("come from turns that ended meanwhile if this turn didn't change them", () => {
		const before = { a: 'sk-secret', b: 'old', c: 'old' };
		const meanwhile = createVariableKeeper(before, agent)({ ...before, b: 'theirs' })('{}');
		const kept = createVariableKeeper(before, agent)({ ...before, c: 'mine sk-secret' })(meanwhile);
		assert.deepEqual(fillVariables(kept, agent), { a: 'sk-secret', b: 'theirs', c: 'mine sk-secret' });
	});

	it('are readable in the old form without placeholders', () => {
		const old = JSON.stringify({ marks: '⟦0 KEY⟧', variables: 2 });
		assert.deepEqual(fillVariables(old, agent), JSON.parse(old));
		assert.deepEqual(fillVariables(createVariableKeeper({}, agent)({ n: 1 })(old), agent), { ...JSON.parse(old), n: 1 });
	});
});
