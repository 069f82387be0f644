import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import { checkMocks } from '#runs/request/mocksCheck.ts';
import { parseRunFile } from '#runs/request/runFileParse.ts';
import { runFileSchemaPath } from '../../../../scripts/runFileSchema.ts';
import { english } from '../../../support/english.ts';

const schema = JSON.parse(fs.readFileSync(runFileSchemaPath, 'utf8')) as JsonSchema;
const graph = readAgentGraph({
	workflow: {
		graph: {
			nodes: [
				{ id: 'start', data: { type: 'start' } },
				{ id: 'sort', data: { type: 'code' } },
			],
			edges: [],
		},
	},
});
const createRunFile = (mocks: unknown) => JSON.stringify({ model: 'a', inputs: {}, mocks });

/** Returns the problems of a run file with these mocks, each with the text it underlines. */
function findFaults(mocks: unknown, builtIn = true): [string, string][] {
	const text = createRunFile(mocks);
	const file = parseRunFile(text, schema, english);
	const faults = [...file.faults, ...checkMocks(file, { connection: 'Elsewhere', builtIn, graph }, english)];
	return faults.map(({ message, offset, length }) => [message, text.slice(offset, offset + length)]);
}

describe('mocks of a run file', () => {
	it('are checked quickly against thousands of nodes', () => {
		const mocks = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`ndoe_with_a_long_identifier_${at}`, {}]));
		const nodes = Array.from({ length: 1500 }, (_, at) => ({ id: `node_with_a_long_identifier_${at}`, data: { type: 'code' } }));
		const large = readAgentGraph({ workflow: { graph: { nodes, edges: [] } } });
		const started = performance.now();
		const faults = checkMocks(
			parseRunFile(createRunFile(mocks), schema, english),
			{ connection: 'local', builtIn: true, graph: large },
			english,
		);
		assert.equal(faults.length, 1500);
		assert.ok(performance.now() - started < 5_000, `${Math.round(performance.now() - started)} ms`);
	});

	it('must be outputs, an error, or a list of them', () => {
		assert.deepEqual(findFaults({ sort: { outputs: { class_id: 'fault' }, handle: 'fault' } }), []);
		assert.deepEqual(findFaults({ sort: { error: 'no', error_type: 'Timeout' } }), []);
		assert.deepEqual(findFaults({ sort: [{ error: 'once' }, { outputs: {} }] }), []);
		assert.deepEqual(findFaults({}), []);
		assert.equal(findFaults({ sort: 5 }).length, 1);
		assert.equal(findFaults({ sort: { outputs: 'text' } }).length, 1);
	});

	it('must belong to existing nodes of the agent', () => {
		assert.deepEqual(findFaults({ sorted: { outputs: {} } }), [
			["'mocks.sorted' isn't a node of 'a'. Expected one of start, sort.", '"sorted"'],
		]);
	});

	it('are supported only by the built-in gateway', () => {
		const [[message, underlined] = ['', '']] = findFaults({ sort: { outputs: {} } }, false);
		assert.match(message, /only work with the built-in gateway, but this file is sent to 'Elsewhere'/);
		assert.equal(underlined, '"mocks"');
		assert.deepEqual(findFaults({}, false), []);
	});
});
