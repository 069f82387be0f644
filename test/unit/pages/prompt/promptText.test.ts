import assert from 'node:assert/strict';
import { fillReferences, listReferences, matchTemplate } from '#pages/prompt/promptText.ts';

describe('the references of a prompt', () => {
	it('are listed once, without those of messages that are shown as sent', () => {
		const messages = [
			{ id: 'a', role: 'system', text: 'Sign as {{#env.desk#}}, {{#env.desk#}}. {{#context#}}' },
			{ id: 'b', role: 'user', text: '{{#start.text#}} {{plain}}' },
			{ id: 'c', role: 'user', text: '{{#sent.text#}}', fixed: 'sent' },
		] as const;
		assert.deepEqual(listReferences(messages), ['env.desk', 'context', 'start.text']);
	});

	it('are replaced by their values, and stay without one', () => {
		const variables = [{ name: 'start.text', value: '{{#start.other#}}' }];
		assert.equal(fillReferences('<{{#start.text#}}{{#start.other#}}>', variables), '<{{#start.other#}}{{#start.other#}}>');
	});

	it('get the values that they had in a text that was sent', () => {
		const values = matchTemplate('Sum {{#a.text#}} in {{#a.count#}}, not {{#a.text#}}.', 'Sum the sea in 5, not the sea.');
		assert.deepEqual(
			[...(values ?? [])],
			[
				['a.text', 'the sea'],
				['a.count', '5'],
			],
		);
		assert.deepEqual(
			[...(matchTemplate('{{#a.x#}}{{#a.y#}}', 'both') ?? [])],
			[
				['a.x', ''],
				['a.y', 'both'],
			],
		);
		assert.deepEqual([...(matchTemplate('{{#a.x#}}. End', 'One. End of it. End') ?? [])], [['a.x', 'One. End of it']]);
	});

	it('have no values if the text was sent from another template', () => {
		assert.equal(matchTemplate('Translate {{#a.text#}}!', 'Summarize the sea!'), undefined);
		assert.equal(matchTemplate('{{#a.x#}} and {{#a.x#}}', 'one and two'), undefined);
		assert.equal(matchTemplate('Hello', 'Hello there'), undefined);
	});
});
