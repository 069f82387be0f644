import assert from 'node:assert/strict';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';

const count = 6000;

/** Creates an agent file with many nodes, from the position and source of each. */
function createFile(positionOf: (n: number) => string, sourceOf: (n: number) => number | undefined): string {
	const numbers = Array.from({ length: count }, (_, n) => n);
	const nodes = numbers.map(n => `  - { id: n${n}, data: { type: llm }${positionOf(n)} }`);
	const edges = numbers.flatMap(n => (sourceOf(n) === undefined ? [] : `  - { source: n${sourceOf(n)}, target: n${n} }`));
	return `app: { mode: workflow }\nworkflow:\n graph:\n  nodes:\n${nodes.join('\n')}\n  edges:${edges.length > 0 ? `\n${edges.join('\n')}` : ' []'}\n`;
}

describe('picture of a file with thousands of nodes', () => {
	for (const [what, text] of Object.entries({
		'in one chain, the last first': createFile(
			() => '',
			n => (n + 1 < count ? n + 1 : undefined),
		),
		'half of them without a position': createFile(
			n => (n <= count / 2 + 2 ? `, position: { x: ${(n % 100) * 400}, y: ${n * 3} }` : ''),
			() => undefined,
		),
	})) {
		it(`is created within the time limit: ${what}`, () => {
			parseAgentPicture('app: { mode: workflow }\nworkflow: { graph: { nodes: [{ id: a, data: { type: llm } }], edges: [] } }\n');
			const began = performance.now();
			const picture = parseAgentPicture(text);
			const took = performance.now() - began;
			assert.equal(picture?.nodes.length, count);
			assert.ok(took < 4500, `${Math.round(took)} ms`);
		});
	}
});
