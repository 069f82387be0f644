import assert from 'node:assert/strict';
import { findAgentFaults } from '#agentFile/checks/agentFaults.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { createAgentForm } from '#pages/graph/nodeForm/nodeForm.ts';
import { english } from '../../../support/english.ts';
import { schema } from './formOf.ts';

function applyEdit(text: string, operation: GraphOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return result.changes
		.toSorted((a, b) => b.offset - a.offset)
		.reduce((made, { offset, length, text: put }) => made.slice(0, offset) + put + made.slice(offset + length), text);
}

describe('edits of the agent', () => {
	for (const mode of ['workflow', 'advanced-chat'] as const) {
		it(`create a ${mode} in a file that contains only a comment, and keep the comment`, () => {
			const text = applyEdit('# mine', { do: 'begin', mode, name: 'a "desk"' });
			assert.ok(text.startsWith('# mine\n'));
			assert.deepEqual(findAgentFaults(new AgentReading(text), schema, english), []);
			assert.match(text, /name: "a \\"desk\\""/);
		});
	}

	it("don't create an agent in a file that isn't empty", () => {
		const result = applyOperation('kind: app\n', { do: 'begin', mode: 'workflow', name: 'a' });
		assert.match('refused' in result ? result.refused : '', /isn't empty/);
	});

	it('add and change an environment variable in its form', () => {
		const before = applyEdit('', { do: 'begin', mode: 'workflow', name: 'desk' });
		const path = ['workflow', 'environment_variables'];
		const added = applyEdit(before, { do: 'insertItem', path, at: 0, value: { name: 'desk' } });
		const text = applyEdit(added, { do: 'set', path: [...path, 0, 'value'], value: 'Tidewatch' });
		const { content } = new AgentReading(text);
		const form = createAgentForm({ content, schema, faults: [], models: [], editable: true });
		const labels = form?.sections.flatMap(({ fields }) => fields.map(({ label }) => label));
		assert.deepEqual(labels, ['Name', 'Description', 'Environment variables', 'Conversation variables']);
		const list = form?.sections[0]?.fields[2];
		assert.equal(list?.kind === 'list' ? list.items.length : 0, 1);
		assert.equal(applyEdit(text, { do: 'removeItem', path, at: 0 }), before);
	});

	it('change no other field of a file', () => {
		const text = applyEdit('', { do: 'begin', mode: 'workflow', name: 'desk' });
		const result = applyOperation(text, { do: 'set', path: ['workflow', 'graph'], value: null });
		assert.match('refused' in result ? result.refused : '', /can't be changed here/);
	});
});
