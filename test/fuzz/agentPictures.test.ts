import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { formatMermaid } from '#pages/graph/export/graphMermaid.ts';
import { formatSvg } from '#pages/graph/export/graphSvg.ts';
import { darkColors } from '#pages/graph/export/svgColors.ts';
import { createPicture } from '#pages/graph/picture/agentPicture.ts';
import type { AgentPicture } from '#pages/graph/picture/graphTypes.ts';
import { fuzzRuns } from './fuzzRuns.ts';

const samples = fileURLToPath(new URL('../../samples/agents', import.meta.url));
const texts = fs.readdirSync(samples).map(name => fs.readFileSync(path.join(samples, name), 'utf8'));

const labels = { types: {}, onFailure: 'on failure', onTimeout: 'on timeout' };

function checkPicture(picture: AgentPicture | undefined): void {
	if (!picture) {
		return;
	}
	const figures = [picture, ...picture.nodes, ...picture.notes].flatMap(({ x, y, width, height }) => [x, y, width, height]);
	assert.ok(
		[...figures, ...picture.edges.flatMap(({ from, to }) => [from.x, from.y, to.x, to.y])].every(Number.isFinite),
		'places are finite',
	);
	const svg = formatSvg(picture, darkColors, labels);
	assert.doesNotMatch(svg, /<(?!\/?(?:svg|defs|marker|path|rect|circle|text)\b)/);
	const shown = picture.nodes.filter(({ id }) => id !== '').length;
	const subgraphs = formatMermaid(picture, labels).match(/^\s*subgraph /gm)?.length ?? 0;
	assert.equal(formatMermaid(picture, labels).trimEnd().split('\n').length, 1 + shown + subgraphs + picture.edges.length);
}

describe('the picture of any agent file', () => {
	it('is drawn without an error, wherever the file is cut and whatever is typed', () => {
		const typed = fc.oneof(fc.constantFrom('&a ', '*a', '<<: *a', '- ', ': ', '|', '{{#', '"', '\n', '\u0000', '<b>'), fc.string());
		fc.assert(
			fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat({ max: 40 }), typed, (text, place, gone, added) => {
				const at = place % text.length;
				const changed = text.slice(0, at) + added + text.slice(at + gone);
				checkPicture(createPicture(new AgentReading(changed).content));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is drawn from any values in place of nodes, edges and notes', () => {
		const id = fc.constantFrom('a', 'b', 'c', '', 1, '__proto__', '<x>');
		const odd = fc.oneof(fc.constantFrom(null, true, Number.NaN, Number.POSITIVE_INFINITY, -1e308, 1e308), fc.string(), fc.double());
		const data = fc.record(
			{
				type: fc.constantFrom(
					'start',
					'if-else',
					'loop',
					'iteration',
					'iteration-start',
					'question-classifier',
					'human-input',
					'llm',
					'constructor',
					'',
				),
				title: fc.oneof(odd, fc.constant('"]; click <b>')),
				cases: fc.oneof(odd, fc.array(fc.oneof(odd, fc.record({ case_id: fc.oneof(id, odd), conditions: fc.oneof(odd, fc.array(odd)) })))),
				classes: fc.oneof(odd, fc.array(fc.record({ id, name: odd }))),
				user_actions: fc.oneof(odd, fc.array(fc.record({ id, title: odd }))),
				variables: fc.oneof(odd, fc.array(odd)),
				text: odd,
				theme: odd,
			},
			{ requiredKeys: [] },
		);
		const place = fc.oneof(odd, fc.record({ x: odd, y: odd }));
		const node = fc.oneof(
			odd,
			fc.record(
				{
					id,
					type: fc.constantFrom('custom', 'custom-note'),
					parentId: id,
					position: place,
					width: odd,
					height: odd,
					data: fc.oneof(odd, data),
				},
				{ requiredKeys: ['id'] },
			),
		);
		const edge = fc.oneof(odd, fc.record({ source: id, target: id, sourceHandle: id }, { requiredKeys: [] }));
		fc.assert(
			fc.property(fc.array(node, { maxLength: 12 }), fc.array(edge, { maxLength: 12 }), (nodes, edges) => {
				checkPicture(createPicture({ workflow: { graph: { nodes, edges } } }));
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('is drawn from a chain of 5,000 nodes without positions', () => {
		const nodes = Array.from({ length: 5000 }, (_, at) => ({ id: `n${at}`, data: { type: 'code', title: 'x' } }));
		const edges = nodes.slice(1).map(({ id: target }, at) => ({ source: `n${at}`, target }));
		assert.equal(createPicture({ workflow: { graph: { nodes, edges } } })?.nodes.length, 5000);
	});
});
