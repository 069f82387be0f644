import assert from 'node:assert/strict';
import { formatTarget, listConnectTargets } from '#pages/graph/gestures/connectTargets.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';

describe('targets to connect a node to', () => {
	const createNode = (id: string, title = id, type = 'code') => ({ id, data: { type, title } });
	const picture = parseAgentPicture(
		JSON.stringify({
			workflow: {
				graph: {
					nodes: [
						createNode('start', 'Start', 'start'),
						createNode('a'),
						createNode('b'),
						createNode('c', 'Fill in'),
						createNode('d', 'Fill in'),
					],
					edges: [
						{ source: 'start', target: 'a' },
						{ source: 'a', target: 'b' },
						{ source: 'b', target: 'c' },
					],
				},
			},
		}),
	);
	assert.ok(picture);
	const listTargets = (id: string) => {
		const from = picture.nodes.find(node => node.id === id);
		assert.ok(from);
		return listConnectTargets(picture, from, 'source');
	};

	it('leave out nodes that lead to it, and those that are connected already', () => {
		assert.deepEqual(
			listTargets('b').map(({ id }) => id),
			['d'],
		);
		assert.deepEqual(
			listTargets('a').map(({ id }) => id),
			['c', 'd'],
		);
		assert.deepEqual(
			listTargets('d').map(({ id }) => id),
			['a', 'b', 'c'],
		);
	});

	it('are told apart by their IDs if their titles are the same', () => {
		const targets = listTargets('a');
		assert.deepEqual(
			targets.map(each => formatTarget(each, targets, 'Code')),
			['Code · c', 'Code · d'],
		);
	});
});
