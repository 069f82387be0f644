import assert from 'node:assert/strict';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { AgentFileError } from '#engine/agentFile/agentFileError.ts';
import {
	createAgentText,
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	runTestAgent,
} from '../run/engineFixture.ts';

const minimal = createAgentText([createStartNode(), createEndNode({})], ['start > end']);

function getRefusal(text: string): AgentFileError {
	try {
		loadAgent(text, 'agents/a.yml');
	} catch (error) {
		assert.ok(error instanceof AgentFileError, String(error));
		return error;
	}
	return assert.fail('the file was loaded');
}

describe('agent file', () => {
	it('reports file, line and path of an error', () => {
		const text = [
			'app: { name: a, mode: workflow }',
			'workflow:',
			'  graph:',
			'    nodes:',
			'      - id: start',
			'        data: { type: start }',
			'      - id: end',
			'        data:',
			'          type: end',
			'          outputs:',
			'            - variable: x',
			'              value_selector: nope',
			'    edges: [{ source: start, target: end }]',
		].join('\n');
		const error = getRefusal(text);
		assert.equal(error.line, 12);
		assert.equal(error.path, 'workflow.graph.nodes[1].data.outputs[0].value_selector');
		assert.match(
			error.message,
			/^agents\/a\.yml:12: workflow\.graph\.nodes\[1\]\.data\.outputs\[0\]\.value_selector: expected a list, got a string$/,
		);
	});

	it('reports the line of invalid YAML', () => {
		assert.equal(getRefusal('app:\n  name: "a\n  mode: workflow').line, 3);
	});

	it("refuses files that aren't agents, and apps without required parts", () => {
		assert.match(getRefusal('kind: rag_pipeline\napp: { mode: workflow }').message, /'rag_pipeline' isn't a valid kind/);
		assert.match(getRefusal('app: { mode: completion }').message, /no model_config, which apps of mode 'completion' need/);
		assert.match(getRefusal('version: 0.6\napp: { mode: workflow }').message, /must be text, for example/);
	});

	it('accepts a file without version and kind, and warns of an unknown version', () => {
		const { version: _, kind: __, ...old } = JSON.parse(minimal);
		assert.equal(loadAgent(JSON.stringify(old), 'a.yml').version, '0.1.0');
		assert.match(loadAgent(minimal.replace('0.6.0', '1.0.0'), 'a.yml').warnings[0]?.message ?? '', /isn't supported.* Expected 0\.x/);
	});

	it('finds cycles', () => {
		const text = createAgentText(
			[createStartNode(), createTemplateNode('a', ''), createTemplateNode('b', '')],
			['start > a', 'a > b', 'b > a'],
		);
		assert.match(getRefusal(text).message, /a → b → a form a cycle/);
	});

	it('finds a missing start node and duplicate IDs, and accepts several triggers', () => {
		assert.match(getRefusal(createAgentText([createEndNode({})], [])).message, /no start node/);
		const { root, roots } = createTestAgent([{ id: 'hook', data: { type: 'trigger-webhook' } }, createStartNode()], []).graph;
		assert.deepEqual([root.id, roots.map(({ id }) => id)], ['hook', ['hook', 'start']]);
		assert.match(
			getRefusal(createAgentText([createStartNode(), createEndNode({}), createEndNode({})], [])).message,
			/the ID 'end' is already used/,
		);
	});

	it('warns of references and edges to missing targets', () => {
		const agent = createTestAgent(
			[createStartNode('x'), createTemplateNode('t', '', { a: 'ghost.v' }), createEndNode({ o: 't.output' })],
			['start > t', 't > end', 't > phantom'],
		);
		assert.deepEqual(
			agent.warnings.map(({ message, path }) => [path, message]),
			[
				['workflow.graph.edges[2]', "the node 'phantom' doesn't exist, so the edge is ignored"],
				['workflow.graph.nodes[1].data.variables[0].value_selector', "refers to the node 'ghost', which doesn't exist"],
			],
		);
	});

	it('warns of references in place of lists, but not inside constants', () => {
		const loopVariables = [
			{ label: 'a', var_type: 'array[string]', value_type: 'constant', value: ['ghost', 'v'] },
			{ label: 'b', var_type: 'array[string]', value_type: 'variable', value: ['ghost', 'v'] },
		];
		const tool = {
			id: 'tool',
			data: {
				type: 'tool',
				title: 'Tool',
				tool_configurations: { colors_selector: ['ghost', 'red'] },
				tool_parameters: { x: { type: 'constant', value: { css_selector: ['ghost', 'p'] } } },
			},
		};
		const loop = { id: 'loop', data: { type: 'magic', title: 'Loop', loop_variables: loopVariables } };
		const agent = createTestAgent([createStartNode('x'), tool, loop, createEndNode({})], ['start > tool', 'tool > loop', 'loop > end']);
		assert.deepEqual(
			agent.warnings.filter(({ message }) => message.startsWith('refers to')).map(({ path }) => path),
			['workflow.graph.nodes[2].data.loop_variables[1].value'],
		);
	});

	it('loads a node of unknown type, which fails only when it is reached', async () => {
		const agent = createTestAgent([createStartNode(), { id: 'm', data: { type: 'magic' } }, createEndNode({})], ['start > m', 'm > end']);
		const { data, trace } = await runTestAgent(agent);
		assert.equal(data.status, 'failed');
		assert.match(String(data.error), /type 'magic' aren't available here/);
		assert.deepEqual(trace.slice(-3), ['node_started m', 'node_finished m failed', 'workflow_finished failed']);
	});

	it('is read like the hosted service reads YAML, and refused with a duplicate key', () => {
		const text = minimal.replace(
			'"variables":[]',
			'"variables":[{variable: a, label: a, type: paragraph, required: yes, max_length: 010}]',
		);
		const [variable] = loadAgent(text, 'a.yml').variables;
		assert.deepEqual([variable?.required, variable?.max_length], [true, 8]);
		assert.throws(() => loadAgent('a: 1\nb: 2\na: 3', 'a.yml'), /^AgentFileError: a\.yml:3: isn't valid YAML: Duplicate key 'a'/);
	});

	it('is refused with more secrets than the engine can mask', () => {
		const createSecrets = (count: number) =>
			Array.from({ length: count }, (_, i) => ({ name: `s${i}`, value_type: 'secret', value: `secret ${i}` }));
		const text = (count: number) =>
			createAgentText([createStartNode(), createEndNode({})], ['start > end'], {
				workflow: { environment_variables: createSecrets(count) },
			});
		assert.equal(loadAgent(text(100), 'a.yml').secrets.length, 100);
		assert.match(getRefusal(text(101)).message, /environment_variables: has 101 secrets\. An agent can have at most 100\.$/);
	});

	it('has secrets without quotes as text, so that they are masked', () => {
		const load = (value: string) => {
			const variables = `"workflow":{"environment_variables":[{name: a, value_type: secret, value: ${value}}],`;
			return loadAgent(minimal.replace('"workflow":{', variables), 'a.yml');
		};
		for (const value of ['4815162342', '12345678901234567890', '0123', 'true', '1.50']) {
			const { environment, secrets } = load(value);
			assert.deepEqual([environment, secrets], [{ a: value }, [value]]);
		}
		assert.throws(() => load('[x]'), /environment_variables\[0\]\.value: must be text, because the variable is a secret$/);
	});

	it('is refused with a message if it is too large', () => {
		const attacks = {
			keys: Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n'),
			list: `[${'1,'.repeat(1_000_000)}]`,
			brackets: '['.repeat(1_000_000),
			marks: '- '.repeat(1_000_000),
			aliases: `a: &a 1\nb: [${'*a,'.repeat(2000)}]`,
		};
		for (const [name, text] of Object.entries(attacks)) {
			assert.throws(() => loadAgent(text, 'a.yml'), /^AgentFileError: a\.yml:1: The file has .*, the limit for agent files\.$/, name);
		}
		const indented = Array.from({ length: 2500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
		assert.throws(() => loadAgent(indented, 'a.yml'), { name: 'AgentFileError' });
	});
});
