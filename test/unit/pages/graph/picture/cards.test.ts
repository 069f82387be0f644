import assert from 'node:assert/strict';
import { readNoteText } from '#pages/graph/cards/noteText.ts';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';

function createCards(...nodes: readonly object[]) {
	const picture = parseAgentPicture(JSON.stringify({ workflow: { graph: { nodes, edges: [] } } }));
	assert.ok(picture);
	return Object.fromEntries(
		picture.nodes.map(({ id, rows, marks, about }) => [
			id,
			{
				rows: rows.map(({ head, text, handle }) => [head, text, handle].filter(Boolean).join('|')),
				marks,
				...(about === undefined ? {} : { about }),
			},
		]),
	);
}

describe('card of a node', () => {
	it('shows the facts of its type and a row for each output handle', () => {
		const shown = createCards(
			{ id: 'start', data: { type: 'start', title: 'S', variables: [{ variable: 'text', type: 'paragraph' }] } },
			{ id: 'llm', data: { type: 'llm', title: 'L', model: { name: 'm-1' }, error_strategy: 'fail-branch' } },
			{
				id: 'if',
				data: {
					type: 'if-else',
					cases: [
						{
							case_id: 'true',
							logical_operator: 'or',
							conditions: [
								{ variable_selector: ['start', 'text'], comparison_operator: 'contains', value: 'x' },
								{ variable_selector: ['start', 'text'], comparison_operator: 'empty' },
							],
						},
						{ case_id: 'b', conditions: [] },
					],
				},
			},
			{ id: 'ask', data: { type: 'human-input', user_actions: [{ id: 'ok', title: 'Approve' }] } },
			{ id: 'sort', data: { type: 'question-classifier', classes: [{ id: '1', name: 'Bills' }] } },
			{ id: 'odd', data: { type: 'quantum', title: 'Q' } },
		);
		assert.deepEqual(shown['start'], { rows: ['text|paragraph'], marks: [] });
		assert.deepEqual(shown['llm'], { rows: ['m-1', 'fail-branch'], marks: ['idle'] });
		assert.deepEqual(shown['if']?.rows, ['IF|text contains x or text empty|true', 'ELIF 1|b', 'ELSE|false']);
		assert.deepEqual(shown['ask']?.rows, ['Approve|ok', '__timeout']);
		assert.deepEqual(shown['sort']?.rows, ['Bills|1']);
		assert.deepEqual(shown['odd']?.marks, ['unknown', 'idle']);
	});

	it('shows references by the titles of their nodes', () => {
		const shown = createCards(
			{ id: '175', data: { type: 'llm', title: 'Ask' } },
			{ id: 'say', data: { type: 'answer', answer: 'It is {{#175.text#}}, {{#gone.x#}}' } },
			{ id: 'both', data: { type: 'answer', answer: '{{#175.text#}}{{#175.usage#}}' } },
			{ id: 'each', data: { type: 'iteration', iterator_selector: ['175', 'items'] } },
		);
		assert.deepEqual(shown['both']?.rows, ['Ask › text Ask › usage']);
		assert.deepEqual(shown['say']?.rows, ['It is Ask › text, gone › x']);
		assert.deepEqual([shown['each']?.rows, shown['each']?.about], [[], 'Ask › items']);
	});

	it("counts facts that don't fit, and cuts long ones", () => {
		const variables = Array.from({ length: 40 }, (_, at) => ({ variable: `v${at}`, type: 'x'.repeat(300) }));
		const { rows = [] } = createCards({ id: 'start', data: { type: 'start', variables } })['start'] ?? {};
		assert.equal(rows.length, 6);
		assert.equal(rows.at(-1), '+35');
		assert.ok(rows.every(row => row.length < 100));
	});
});

describe('text of a note', () => {
	const createEditorState = (...children: readonly object[]) => JSON.stringify({ root: { type: 'root', children } });
	const createTextBlock = (said: string) => ({ type: 'text', text: said });

	it('is the plain text of the editor state', () => {
		const list = {
			type: 'list',
			listType: 'bullet',
			children: [
				{ type: 'listitem', children: [createTextBlock('one')] },
				{ type: 'listitem', children: [createTextBlock('two')] },
			],
		};
		const link = {
			type: 'paragraph',
			children: [
				createTextBlock('see '),
				{ type: 'link', url: 'javascript:x', children: [createTextBlock('this')] },
				{ type: 'linebreak' },
				createTextBlock('there'),
			],
		};
		assert.equal(
			readNoteText(createEditorState({ type: 'paragraph', children: [createTextBlock('Hello')] }, list, link)),
			'Hello\n• one\n• two\nsee this\nthere',
		);
	});

	it("is the source if it isn't an editor state, and is cut at any depth", () => {
		assert.equal(readNoteText('just words'), 'just words');
		assert.equal(readNoteText('{"a":1}'), '{"a":1}');
		let deep: object = createTextBlock('x');
		for (let depth = 0; depth < 1000; depth++) {
			deep = { type: 'quote', children: [deep] };
		}
		assert.equal(typeof readNoteText(createEditorState(deep)), 'string');
	});
});
