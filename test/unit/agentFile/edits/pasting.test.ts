import assert from 'node:assert/strict';
import { copyFromFile } from '#agentFile/edits/copying.ts';
import { EditedFile } from '#agentFile/edits/editedFile.ts';
import { pasteNodes } from '#agentFile/edits/pasting.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';

describe('pasting nodes', () => {
	it('goes through the nodes of the file as often for many nodes as for one', () => {
		const ids = Array.from({ length: 50 }, (_, i) => `n${i}`);
		const nodes = ids.map(id => ({ id, position: { x: 0, y: 0 }, data: { type: 'answer', title: id, answer: '' } }));
		const edges = ids.slice(1).map((id, i) => ({ source: `n${i}`, target: id }));
		const text = JSON.stringify({ kind: 'app', workflow: { graph: { nodes, edges } } });
		const countReads = (copied: readonly string[]) => {
			const file = new EditedFile(text, fillPlaceholders);
			const clipboard = copyFromFile(file, copied);
			const { rawNodes } = file;
			let reads = 0;
			Object.defineProperty(file, 'rawNodes', {
				get: () => {
					reads++;
					return rawNodes;
				},
			});
			assert.deepEqual(
				pasteNodes(file, { text: clipboard, at: { x: 0, y: 0 } }).made,
				copied.map(id => `${id}_2`),
			);
			return reads;
		};
		assert.equal(countReads(ids), countReads(['n0']));
	});
});
