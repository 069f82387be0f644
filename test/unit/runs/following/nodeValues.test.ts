import assert from 'node:assert/strict';
import { formatNodeOutputs } from '#runs/following/nodeValues.ts';

describe('the preview of a node on its card', () => {
	it('is the text of a model, without its usage', () => {
		assert.equal(formatNodeOutputs({ text: 'The year was\ncalm.', usage: { tokens: 3 } }), 'The year was calm.');
	});

	it('leaves out empty values and system variables', () => {
		assert.equal(formatNodeOutputs({ topic: 'Tides', 'sys.query': 'x', files: [], note: '', error: null }), 'Tides');
		assert.equal(formatNodeOutputs({ a: 1, b: false }), 'a: 1 · b: false');
	});
});
