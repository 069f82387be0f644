import assert from 'node:assert/strict';
import { parseGraphMessage } from '#pages/graph/picture/graphMessages.ts';

describe("messages from the graph's page", () => {
	it('are parsed unchanged if valid', () => {
		const edit = {
			type: 'edit',
			operation: { do: 'connect', from: { node: 'a', handle: 'source' }, target: 'b' },
			seq: 1,
			form: 0,
			done: 0,
		};
		assert.deepEqual(parseGraphMessage(edit), edit);
		const set = {
			type: 'edit',
			operation: { do: 'set', node: 'a', path: ['model', 'name'], value: { any: [1, 'x'] } },
			seq: 2,
			form: 7,
			done: 1,
		};
		assert.deepEqual(parseGraphMessage(set), set);
		assert.deepEqual(parseGraphMessage({ type: 'ready', selected: ['a'], more: 1 }), { type: 'ready', selected: ['a'] });
	});

	for (const wrong of [
		undefined,
		'ready',
		{ type: 'evaluate', code: '1' },
		{ type: 'edit', operation: { do: 'paste', text: 'x' }, seq: 1, form: 0, done: 0 },
		{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: Number.NaN, y: 0 }] }, seq: 1, form: 0, done: 0 },
		{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: 1e300, y: 0 }] }, seq: 1, form: 0, done: 0 },
		{ type: 'edit', operation: { do: 'add', type: '' }, seq: 1, form: 0, done: 0 },
		{ type: 'select', nodes: [{}] },
		{ type: 'select', nodes: [''] },
		{ type: 'select', nodes: new Array(10_001).fill('a') },
		{ type: 'edit', operation: { do: 'set', node: 'a', path: ['__proto__', 'x'], value: 1 }, seq: 1, form: 0, done: 0 },
		{ type: 'edit', operation: { do: 'set', node: 'a', path: [{}], value: 1 }, seq: 1, form: 0, done: 0 },
		{ type: 'edit', operation: { do: 'removeItem', node: 'a', path: ['list'], at: -1 }, seq: 1, form: 0, done: 0 },
		{ type: 'typed', operation: { do: 'wrap', nodes: ['a'], container: 'constructor' }, seq: 1, form: 0, done: 0 },
		{ type: 'openField', node: 'a', path: new Array(51).fill('x') },
		{ type: 'edit', operation: { do: 'arrange' } },
		{ type: 'undo', seq: -1 },
		{ type: 'edit', seq: 1, form: 0, done: 0 },
		[],
		null,
	]) {
		it(`are dropped if invalid: ${JSON.stringify(wrong)?.slice(0, 100)}`, () => {
			assert.equal(parseGraphMessage(wrong), undefined);
		});
	}
});
