import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { CanvasSpace } from '#agentFile/edits/canvasSpace.ts';
import { EditedFile } from '#agentFile/edits/editedFile.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import type { Rect } from '#agentFile/layout/geometry.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';

const support = fs.readFileSync(new URL('../../../../samples/agents/support.yml', import.meta.url), 'utf8');

function applyEdit(text: string, operation: GraphOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return applyChanges(text, result.changes);
}

function listRects(text: string): Map<string, Rect & { parent: string | undefined }> {
	const space = new CanvasSpace(new EditedFile(text, fillPlaceholders));
	return new Map(readAgentGraph(new AgentText(text).content).nodes.map(({ id, parent }) => [id, { ...space.getRect(id), parent }]));
}

/** Returns pairs of overlapping nodes on one level. */
function findOverlaps(text: string): string[] {
	const all = [...listRects(text)];
	return all.flatMap(([id, a], at) =>
		all
			.slice(at + 1)
			.filter(
				([, b]) => a.parent === b.parent && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
			)
			.map(([other]) => `${id} ${other}`),
	);
}

describe('space on the canvas', () => {
	it('is made for a node on an edge by moving only the nodes after it to the right', () => {
		const [before, text] = [
			listRects(support),
			applyEdit(support, { do: 'add', type: 'llm', behind: { node: 'start', handle: 'source' }, before: 'sort' }),
		];
		const after = listRects(text);
		assert.deepEqual([after.get('llm')?.x, after.get('llm')?.y], [384, 280]);
		for (const [id, { x, y }] of before) {
			assert.deepEqual([after.get(id)?.x, after.get(id)?.y], [id === 'start' ? x : x + 308, y], id);
		}
		assert.deepEqual(findOverlaps(text), []);
	});

	it('is not made if there is enough, or if the position is given', () => {
		const wide = applyEdit(support, { do: 'add', type: 'llm', behind: { node: 'start', handle: 'source' }, before: 'sort' });
		const apart = applyEdit(wide, { do: 'delete', nodes: ['llm'] });
		const connected = applyEdit(apart, { do: 'connect', from: { node: 'start', handle: 'source' }, target: 'sort' });
		const add = { do: 'add', type: 'code', behind: { node: 'start', handle: 'source' }, before: 'sort' } as const;
		for (const operation of [add, { ...add, at: { x: 10, y: 900 } }]) {
			assert.equal(listRects(applyEdit(connected, operation)).get('sort')?.x, listRects(connected).get('sort')?.x);
		}
	});

	it('is made around a growing container and its parents', () => {
		let text = applyEdit(support, { do: 'add', type: 'loop', behind: { node: 'start', handle: 'source' }, before: 'sort' });
		text = applyEdit(text, { do: 'add', type: 'iteration', behind: { node: 'loop_start', handle: 'source' } });
		for (const node of ['iteration_start', 'code', 'code_2']) {
			text = applyEdit(text, { do: 'add', type: 'code', behind: { node, handle: 'source' } });
			assert.deepEqual(findOverlaps(text), []);
		}
		const after = listRects(text);
		const [loop, iteration, sort] = ['loop', 'iteration', 'sort'].map(id => after.get(id) as Rect);
		assert.ok(loop && iteration && sort && iteration.x + iteration.width < loop.width && loop.x + loop.width < sort.x);
	});

	it('is made for a container around nodes, so that it overlaps nothing', () => {
		for (const nodes of [['answer_question'], ['facts', 'is_urgent', 'ticket', 'urgent_ticket'], ['card'], ['confirm_cancel']]) {
			const result = applyOperation(support, { do: 'wrap', nodes, container: 'loop' });
			if ('changes' in result) {
				assert.deepEqual(findOverlaps(applyChanges(support, result.changes)), [], nodes.join());
			}
		}
	});

	it('is not made in a file without positions', () => {
		const bare = support.replaceAll(/\n +position: .*/g, '');
		const text = applyEdit(bare, { do: 'add', type: 'llm', behind: { node: 'start', handle: 'source' }, before: 'sort' });
		assert.equal(text.match(/position:/g)?.length, 1);
	});

	it('keeps absolute positions consistent with relative ones', () => {
		const absolute = support.replaceAll(/( +)position: (.*)\n/g, '$&$1positionAbsolute: $2\n');
		const text = applyEdit(applyEdit(absolute, { do: 'wrap', nodes: ['facts'], container: 'iteration' }), {
			do: 'add',
			type: 'code',
			behind: { node: 'start', handle: 'source' },
			before: 'sort',
		});
		const nodes = (new AgentText(text).content as { workflow: { graph: { nodes: Record<string, Record<string, number>>[] } } }).workflow
			.graph.nodes;
		const byId = new Map(nodes.map(node => [String(node['id']), node]));
		for (const node of nodes) {
			const { position = {}, positionAbsolute = {} } = node;
			const around = byId.get(String(node['parentId']))?.['position'] ?? { x: 0, y: 0 };
			assert.deepEqual(
				positionAbsolute,
				{ x: (position['x'] ?? 0) + (around['x'] ?? 0), y: (position['y'] ?? 0) + (around['y'] ?? 0) },
				String(node['id']),
			);
		}
	});
});
