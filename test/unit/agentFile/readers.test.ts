import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findReachableNodes, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import { agentFileSchemaPath } from '../../../scripts/agentFileSchema.ts';
import { english } from '../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
const createFile = (nodes: readonly string[], edges: readonly string[]) =>
	`app: {name: x, mode: workflow}\nworkflow:\n  graph:\n    nodes:\n${nodes.map(node => `      - ${node}\n`).join('')}    edges: [${edges.join(', ')}]\n`;
const findFaults = (text: string) => findAgentFaults(new AgentReading(text), schema, english);

describe('gateway, editor and picture read one graph', () => {
	it('with numeric IDs, which the engine rejects and the editor treats as strings', () => {
		const text = createFile(['{id: 1, data: {type: start, title: S}}', '{id: 2, data: {type: end, title: E}}'], ['{source: 1, target: 2}']);
		const graph = readAgentGraph(new AgentText(text).content);
		const picture = parseAgentPicture(text);
		assert.deepEqual(picture?.nodes.map(({ id }) => id).sort(), ['1', '2']);
		assert.deepEqual(
			picture?.edges.map(({ source, target }) => [source, target]),
			[['1', '2']],
		);
		assert.deepEqual([...findReachableNodes(graph)], ['1', '2']);
		assert.throws(() => loadAgent(text, 'a.yml'), /a\.yml:5: workflow\.graph\.nodes\[0\]\.id/);
	});

	it('with success-branch as the default output handle', () => {
		const nodes = [
			'{id: s, data: {type: start, title: S, variables: []}}',
			'{id: t, data: {type: template-transform, title: T, template: x, variables: [], error_strategy: fail-branch}}',
			'{id: e, data: {type: end, title: E, outputs: []}}',
		];
		const text = createFile(nodes, ['{source: s, target: t}', '{source: t, target: e, sourceHandle: success-branch}']);
		const read = readAgentGraph(new AgentText(text).content).edges.map(({ handle }) => handle);
		assert.deepEqual(read, ['source', 'source']);
		assert.deepEqual(
			parseAgentPicture(text)?.edges.map(({ handle }) => handle),
			read,
		);
		assert.deepEqual(
			[...loadAgent(text, 'a.yml').graph.nodes.values()].flatMap(({ outgoing }) => outgoing.map(({ handle }) => handle)),
			read,
		);
		assert.deepEqual(findFaults(text), []);
	});

	it('with fields that a node gets from a merge', () => {
		const text = createFile(
			[
				'{id: s, data: {type: start, title: S, variables: []}}',
				'{id: a, data: &base {type: template-transform, title: A, template: x, variables: []}}',
				'{id: b, data: {<<: *base, title: B}}',
				'{id: e, data: {type: end, title: E, outputs: [{variable: o, value_selector: [b, output]}]}}',
			],
			['{source: s, target: a}', '{source: a, target: b}', '{source: b, target: e}'],
		);
		assert.equal(loadAgent(text, 'a.yml').graph.nodes.get('b')?.type, 'template-transform');
		assert.equal(parseAgentPicture(text)?.nodes.find(({ id }) => id === 'b')?.kind, 'template-transform');
		assert.deepEqual(findFaults(text), []);
		const wrong = findFaults(text.replace('template: x', 'template: [x]')).filter(({ path }) => path[3] === 2);
		assert.deepEqual(
			wrong.map(({ path }) => path.slice(4)),
			[['data', 'template']],
		);
	});

	it("and don't parse a text designed to take minutes", () => {
		for (const text of [
			`[${'1,'.repeat(1_000_000)}]`,
			'- '.repeat(1_000_000),
			Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n'),
			`kind: app\n${'\n'.repeat(1_000_000)}`,
			`kind: app\n${'  \r'.repeat(1_000_000)}`,
		]) {
			const [fault, ...others] = findFaults(text);
			assert.match(fault?.message ?? '', /the limit for agent files/);
			assert.deepEqual(others, []);
			assert.throws(() => parseAgentPicture(text), /the limit for agent files/);
		}
	});

	it('and report a duplicate key at its position', () => {
		const text = 'app:\n  name: x\n  mode: workflow\n  name: y\n';
		const [fault] = findFaults(text);
		assert.match(fault?.message ?? '', /Duplicate key 'name'/);
		assert.equal(text.slice(fault?.offset, (fault?.offset ?? 0) + (fault?.length ?? 0)), 'name');
		assert.equal(fault?.offset, text.lastIndexOf('name'));
		assert.throws(() => parseAgentPicture(text), /line 4/);
	});
});
