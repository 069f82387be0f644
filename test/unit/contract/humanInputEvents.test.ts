import assert from 'node:assert/strict';
import { isEvent, isTerminalEvent, type WorkflowEvent } from '#contract/events.ts';

const createEvent = (name: string, data: unknown): WorkflowEvent => ({ event: name, task_id: 't', workflow_run_id: 'r', data });

describe('events of paused runs', () => {
	it('are accepted only with the fields that readers need', () => {
		const form = { node_id: 'ask', form_content: 'Right?', inputs: [], actions: [], form_token: null };
		assert.ok(isEvent(createEvent('human_input_required', form), 'human_input_required'));
		for (const wrong of [{ inputs: {} }, { actions: 'ok' }, { form_token: 1 }, { node_id: undefined }, { resolved_default_values: 'x' }]) {
			assert.ok(!isEvent(createEvent('human_input_required', { ...form, ...wrong }), 'human_input_required'), JSON.stringify(wrong));
		}
		assert.ok(isEvent(createEvent('workflow_paused', { paused_nodes: ['ask'], reasons: [] }), 'workflow_paused'));
		assert.ok(!isEvent(createEvent('workflow_paused', { paused_nodes: 'ask' }), 'workflow_paused'));
		assert.ok(isEvent(createEvent('reasoning_chunk', { reasoning: '', node_id: 'llm', is_final: true }), 'reasoning_chunk'));
		assert.ok(!isEvent(createEvent('reasoning_chunk', { node_id: 'llm' }), 'reasoning_chunk'));
		assert.ok(!isEvent(createEvent('human_input_form_filled', {}), 'human_input_form_filled'));
		assert.ok(isEvent(createEvent('human_input_form_timeout', { node_id: 'ask' }), 'human_input_form_timeout'));
	});

	it('end the stream only when the run is paused', () => {
		assert.deepEqual(
			['human_input_required', 'workflow_paused', 'human_input_form_filled'].map(name => isTerminalEvent(createEvent(name, {}))),
			[false, true, false],
		);
	});
});
