import assert from 'node:assert/strict';
import { editMessagesBody } from '#models/edits/messagesEdits.ts';
import { findTopLevelFields } from '#models/edits/topLevelFields.ts';

const foreign = '{ "type": "thinking", "thinking": "Hm. \\" } ]", "signature": "agent-workbench.google.x" }';
const applyEdit = (messages: string) => {
	const body = Buffer.from(`{"model":"m","max_tokens":9,"messages":${messages}}`);
	const fields = findTopLevelFields(body);
	assert.ok(fields);
	return editMessagesBody(body, fields, undefined, false).toString().slice('{"model":"m","max_tokens":9,"messages":'.length, -1);
};

describe('thoughts of other services in a body of C', () => {
	it('are removed at any position, without changing other bytes', () => {
		const own = '{"type":"thinking","thinking":"ü","signature":"c2ln"}';
		const text = '{ "type":"text", "text":"1.0e2" }';
		const createTurn = (...blocks: string[]) => `[{"role":"assistant","content":[${blocks.join(', ')}]}]`;
		assert.equal(applyEdit(createTurn(foreign, own, foreign, text, foreign)), `[{"role":"assistant","content":[${own},${text}]}]`);
		assert.equal(applyEdit(createTurn(foreign)), '[{"role":"assistant","content":[{"type":"text","text":"(no answer)"}]}]');
	});

	it('are distinguished from text that only mentions them', () => {
		for (const messages of [
			'[{"role":"user","content":"agent-workbench.google.x"}]',
			'[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"signature":"agent-workbench.none"}}]}]',
			'[{"role":"assistant","content":[{"type":"text","text":"agent-workbench.none"}]}]',
			'[{"role":"assistant","content":[{"type":"thinking","signature":"agent-workbench.none" oops}]}]',
		]) {
			assert.equal(applyEdit(messages), messages);
		}
	});

	it('are removed without copying what is nested in other blocks', () => {
		const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
		const input = `{"type":"tool_use","id":"1","name":"f","input":{"signature":"agent-workbench.none","list":${deep}}}`;
		assert.equal(applyEdit(`[{"role":"assistant","content":[${foreign},${input}]}]`), `[{"role":"assistant","content":[${input}]}]`);
	});
});
