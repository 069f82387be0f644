import assert from 'node:assert/strict';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { getBasesAfterwards, planPromptEdits } from '#editor/prompts/applyPrompt.ts';
import { createNodePrompt, describeTemplate } from '#editor/prompts/nodePrompt.ts';
import type { EditedPrompt, PromptState } from '#pages/prompt/promptMessages.ts';

const file = `kind: app
workflow:
  graph:
    nodes:
      - id: write # the writer
        data:
          type: llm
          model: { provider: p, name: small, completion_params: { temperature: 0.2, max_completion_tokens: 50 } }
          prompt_template:
            # how to write
            - { id: brief, role: system, text: "Be brief." }
            - { id: text, role: user, text: '{{#start.text#}}' }
            - { id: more, role: user, edition_type: jinja2, text: "{{ x }}" }
    edges: []
`;

function open(text: string) {
	const graph = readAgentGraph(new AgentText(text).content);
	const node = graph.nodes[0]!;
	return { node, prompt: createNodePrompt(node, graph), source: { title: 'write', ...describeTemplate(node) } as PromptState['source'] };
}

/** Applies a changed prompt to a text; returns the new text. */
function apply(change: (prompt: EditedPrompt) => EditedPrompt, model = 'small', text = file): string {
	const { node, prompt, source } = open(file);
	const edits = planPromptEdits(text === file ? node : open(text).node, { prompt: change(prompt), source, model });
	assert.ok(edits);
	const result = applyOperation(text, { do: 'editFields', edits });
	assert.ok('changes' in result, JSON.stringify(result));
	return applyChanges(text, result.changes);
}

const setText = (at: number, text: string) => (prompt: EditedPrompt) => ({
	...prompt,
	messages: prompt.messages.map((message, index) => (index === at ? { ...message, text } : message)),
});

describe('applying a prompt to its node', () => {
	it('writes nothing if nothing changed', () => {
		assert.equal(
			apply(prompt => prompt),
			file,
		);
	});

	it('changes only the text, model and parameters that differ', () => {
		const changed = apply(prompt => ({ ...setText(0, 'Be long.')(prompt), parameters: { temperature: 0.9, maxTokens: 80 } }), 'large');
		const expected = file
			.replace('Be brief.', 'Be long.')
			.replace('name: small', 'name: large')
			.replace('temperature: 0.2', 'temperature: 0.9')
			.replace('max_completion_tokens: 50', 'max_completion_tokens: 80');
		assert.equal(changed, expected);
	});

	it('removes and adds messages, and keeps the fields of others', () => {
		const changed = apply(prompt => ({
			...prompt,
			messages: [...prompt.messages.slice(1), { id: 'new', role: 'assistant', text: 'Yes.' }],
		}));
		const { nodes } = readAgentGraph(new AgentText(changed).content);
		assert.deepEqual(nodes[0]?.data?.['prompt_template'], [
			{ id: 'text', role: 'user', text: '{{#start.text#}}' },
			{ id: 'more', role: 'user', edition_type: 'jinja2', text: '{{ x }}' },
			{ role: 'assistant', text: 'Yes.' },
		]);
		assert.match(changed, /# the writer/);
	});

	it('leaves Jinja templates and messages of the run alone', () => {
		const changed = apply(prompt => ({
			...setText(2, 'as it was sent')(prompt),
			messages: [...setText(2, 'as it was sent')(prompt).messages, { id: 's', role: 'user', text: 'memory', fixed: 'sent' }],
		}));
		assert.equal(changed, file);
	});

	it('is refused if the messages changed in the file, but not if something else did', () => {
		const { prompt, source } = open(file);
		const change = setText(0, 'Be long.')(prompt);
		const plan = (text: string) => planPromptEdits(open(text).node, { prompt: change, source, model: 'small' });
		assert.equal(plan(file.replace('Be brief.', 'Be quick.')), undefined);
		assert.equal(plan(file.replace(/.*id: more.*\n/, '')), undefined);
		const renamed = file.replace('name: small', 'name: other');
		assert.equal(apply(setText(0, 'Be long.'), 'other', renamed), renamed.replace('Be brief.', 'Be long.'));
	});

	it('can be done again afterwards', () => {
		const { prompt, node, source } = open(file);
		const added: EditedPrompt = { ...prompt, messages: [{ id: 'new', role: 'system', text: 'First.' }, ...prompt.messages] };
		const edits = planPromptEdits(node, { prompt: added, source, model: 'small' }) ?? [];
		const result = applyOperation(file, { do: 'editFields', edits });
		assert.ok('changes' in result);
		const after = open(applyChanges(file, result.changes));
		const bases = getBasesAfterwards(added);
		const again = { ...added, messages: added.messages.map(message => ({ ...message, base: bases[message.id] })) };
		assert.deepEqual(planPromptEdits(after.node, { prompt: again, source: after.source, model: 'small' }), []);
	});
});
