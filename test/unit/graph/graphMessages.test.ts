import assert from 'node:assert/strict';
import { parseGraphMessage } from '../../../src/graph/graphMessages.ts';

describe('messages of a graph’s page', () => {
	it('are taken as they are meant', () => {
		const edit = { type: 'edit', operation: { do: 'connect', from: { node: 'a', handle: 'source' }, target: 'b' } };
		assert.deepEqual(parseGraphMessage(edit), edit);
		const set = { type: 'edit', operation: { do: 'set', node: 'a', path: ['model', 'name'], value: { any: [1, 'x'] } } };
		assert.deepEqual(parseGraphMessage(set), set);
		assert.deepEqual(parseGraphMessage({ type: 'ready', more: 1 }), { type: 'ready' });
	});

	for (const wrong of [
		undefined,
		'ready',
		{ type: 'evaluate', code: '1' },
		{ type: 'edit', operation: { do: 'paste', text: 'x' } },
		{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: Number.NaN, y: 0 }] } },
		{ type: 'edit', operation: { do: 'move', nodes: [{ id: 'a', x: 1e300, y: 0 }] } },
		{ type: 'edit', operation: { do: 'add', type: '' } },
		{ type: 'select', nodes: [{}] },
		{ type: 'select', nodes: [''] },
		{ type: 'select', nodes: new Array(10_001).fill('a') },
		{ type: 'edit', operation: { do: 'set', node: 'a', path: ['__proto__', 'x'], value: 1 } },
		{ type: 'edit', operation: { do: 'set', node: 'a', path: [{}], value: 1 } },
		{ type: 'edit', operation: { do: 'removeItem', node: 'a', path: ['list'], at: -1 } },
		{ type: 'typed', operation: { do: 'wrap', nodes: ['a'], container: 'constructor' } },
		{ type: 'openField', node: 'a', path: new Array(51).fill('x') },
		{ type: 'edit' },
		[],
		null,
	]) {
		it(`are dropped where they are none: ${JSON.stringify(wrong)?.slice(0, 100)}`, () => {
			assert.equal(parseGraphMessage(wrong), undefined);
		});
	}
});
