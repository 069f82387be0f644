import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { lcovParser } from '@friedemannsommer/lcov-parser';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import { formatLcov } from '#suites/coverage/lcov.ts';

const file = path.resolve(import.meta.dirname, '../../../../samples/agents/support.yml');
const text = fs.readFileSync(file, 'utf8');
const lines = text.split('\n');

describe('coverage of agent files', () => {
	const sum = new CoverageSum();
	for (const [ways, nodes] of [
		[{ 'sort/fault': 1, 'is_urgent/true': 1 }, ['start', 'sort', 'facts', 'is_urgent', 'urgent_ticket', 'reply', 'card', 'end']],
		[{ 'sort/cancel': 1 }, ['start', 'sort', 'confirm_cancel', 'reply', 'card', 'end']],
	] as const) {
		sum.add({ agent: 'support', nodes: Object.fromEntries(nodes.map(id => [id, 1])), ways });
	}
	const coverage = sum.getAgentCoverage('support', file, text);

	it('lists each node with its lines and the number of times it ran', () => {
		const counts = Object.fromEntries(coverage.nodes.map(({ id, count }) => [id, count]));
		assert.deepEqual([counts['start'], counts['facts'], counts['ticket'], counts['answer_question']], [2, 1, 0, 0]);
		const sort = coverage.nodes.find(({ id }) => id === 'sort')!;
		assert.match(lines[sort.line]!, /- id: sort/);
		assert.match(lines[sort.endLine + 1]!, /- id: answer_question/);
	});

	it('lists the output handles of nodes that have several, each with its line', () => {
		const sort = coverage.nodes.find(({ id }) => id === 'sort')!;
		assert.deepEqual(
			sort.ways.map(({ handle, count }) => [handle, count]),
			[
				['question', 0],
				['fault', 1],
				['billing', 0],
				['cancel', 1],
			],
		);
		assert.match(lines[sort.ways[3]!.line]!, /id: cancel/);
		assert.equal(sort.ways[1]!.title, 'A fault or something that does not work');
		const urgent = coverage.nodes.find(({ id }) => id === 'is_urgent')!;
		assert.deepEqual(
			urgent.ways.map(({ handle, count }) => [handle, count]),
			[
				['true', 1],
				['false', 0],
			],
		);
		assert.deepEqual(coverage.nodes.find(({ id }) => id === 'card')!.ways, []);
	});

	it('can be read as lcov by other tools', async () => {
		const [record] = await lcovParser({ from: formatLcov([coverage]) });
		assert.equal(record?.path, file);
		assert.deepEqual([record?.lines.instrumented, record?.lines.hit], [12, 9]);
		assert.deepEqual([record?.branches.instrumented, record?.branches.hit], [6, 3]);
		const sort = coverage.nodes.find(({ id }) => id === 'sort')!;
		assert.equal(record?.lines.details.find(({ line }) => line === sort.line + 1)?.hit, 2);
	});

	it("has no nodes for text that isn't an agent file", () => {
		assert.deepEqual(sum.getAgentCoverage('support', file, '[').nodes, []);
		assert.equal(formatLcov([]), '');
	});
});
