import assert from 'node:assert/strict';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';

const createText = (position: string) => `kind: app
app: { mode: workflow, name: a }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start }
        position:
${position}
    edges: []
`;

function moveStart(text: string): string {
	const result = applyOperation(text, { do: 'move', nodes: [{ id: 'start', x: 15, y: 25 }] });
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return result.changes
		.toSorted((a, b) => b.offset - a.offset)
		.reduce((made, { offset, length, text: put }) => made.slice(0, offset) + put + made.slice(offset + length), text);
}

describe('the position of a moved node', () => {
	it('changes only its numbers', () => {
		const before = createText('          y: 20 # from the top\n          x: 10 # from the left\n          z: 3');
		assert.equal(moveStart(before), createText('          y: 25 # from the top\n          x: 15 # from the left\n          z: 3'));
	});

	it('is replaced if a number is missing', () => {
		for (const position of ['          x: 10', '          x: a\n          y: 20']) {
			assert.equal(moveStart(createText(position)), createText('          x: 15\n          y: 25'), position);
		}
	});
});
