import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { applyVariant, type VariantChanges } from '#suites/variants/applyVariant.ts';

const agent = `# my agent
kind: app
app: { name: ask, mode: workflow }
workflow:
  graph:
    nodes:
      - id: start
        data: { type: start, title: Start, variables: [] }
      - id: facts.one
        data:
          type: llm
          title: Facts
          model: { provider: any, name: haiku, mode: chat, completion_params: { temperature: 0.5, top_p: 1 } } # cheap
          prompt_template:
            - { role: system, text: Be short. }
            - { role: user, text: example }
            - { role: user, text: '{{#start.question#}}' }
            - { role: assistant, edition_type: jinja2, text: old, jinja2_text: '{{ x }}' }
      - id: sort
        data:
          type: question-classifier
          title: Sort
          model: { provider: any, name: haiku, mode: chat }
          instruction: Sort it.
      - id: work
        data:
          type: agent
          title: Work
          agent_parameters:
            model: { type: constant, value: { provider: any, model: haiku, completion_params: {} } }
            instruction: { type: mixed, value: Work. }
      - id: single
        data:
          type: llm
          title: Single
          model: { provider: any, name: haiku, mode: completion }
          prompt_template: { text: Say. }
    edges: []
`;

const none: VariantChanges = { models: {}, parameters: {}, prompts: {} };
const apply = (changes: Partial<VariantChanges>) => applyVariant(agent, { ...none, ...changes }, fillPlaceholders);

/** Returns the lines that differ from the agent, without indentation. */
function listChangedLines(text: string): string[] {
	const old = agent.split('\n');
	return text
		.split('\n')
		.filter(line => !old.includes(line))
		.map(line => line.trim());
}

describe('a variant of an agent', () => {
	it('has the same bytes without changes', () => assert.equal(apply({}), agent));

	it('changes the model of every node that calls one, unless the node has its own entry', () => {
		assert.deepEqual(listChangedLines(apply({ models: { '*': 'opus', sort: { provider: 'other', name: 'sonnet' } } })), [
			'model: { provider: any, name: opus, mode: chat, completion_params: { temperature: 0.5, top_p: 1 } } # cheap',
			'model: { provider: other, name: sonnet, mode: chat }',
			'model: { type: constant, value: { provider: any, model: opus, completion_params: {} } }',
			'model: { provider: any, name: opus, mode: completion }',
		]);
	});

	it('sets and removes parameters', () => {
		assert.deepEqual(listChangedLines(apply({ parameters: { 'facts.one': { temperature: 0, top_p: null } } })), [
			'model: { provider: any, name: haiku, mode: chat, completion_params: { temperature: 0 } } # cheap',
		]);
		assert.match(apply({ parameters: { sort: { seed: 7 } } }), /completion_params/);
	});

	it('changes prompts by role: the last message, its template, a single prompt, or an instruction', () => {
		assert.deepEqual(
			listChangedLines(
				apply({
					prompts: {
						'facts.one.system': 'Be long.',
						'facts.one.user': 'Ask.',
						'facts.one.assistant': '{{ y }}',
						'sort.instruction': 'Sort well.',
						'work.instruction': 'Work well.',
						'single.prompt': 'Sing.',
					},
				}),
			),
			[
				'- { role: system, text: Be long. }',
				"- { role: user, text: 'Ask.' }",
				"- { role: assistant, edition_type: jinja2, text: old, jinja2_text: '{{ y }}' }",
				'instruction: Sort well.',
				'instruction: { type: mixed, value: Work well. }',
				'prompt_template: { text: Sing. }',
			],
		);
	});

	it('says what it cannot change', () => {
		assert.throws(() => apply({ models: { gone: 'opus' } }), /The agent has no node 'gone'\./);
		assert.throws(() => apply({ models: { start: 'opus' } }), /'start' doesn't call a model\./);
		assert.throws(() => apply({ prompts: { 'gone.system': '' } }), /The agent has no node 'gone'\./);
		assert.throws(() => apply({ prompts: { 'sort.system': '' } }), /'sort' has no prompt 'system'\./);
		const still = 'kind: app\nworkflow: { graph: { nodes: [], edges: [] } }\n';
		assert.throws(
			() => applyVariant(still, { ...none, models: { '*': 'opus' } }, fillPlaceholders),
			/No node of the agent calls a model\./,
		);
	});

	it('changes hundreds of nodes within seconds', () => {
		const nodes = Array.from(
			{ length: 200 },
			(_, at) => `      - { id: n${at}, data: { type: llm, title: N, model: { name: small }, prompt_template: [] } }\n`,
		);
		const text = `version: 0.6.0\nkind: app\napp: { name: a, mode: workflow }\nworkflow:\n  graph:\n    nodes:\n${nodes.join('')}    edges: []\n`;
		const changes = { models: { '*': { name: 'big', provider: 'p' } }, parameters: { '*': { temperature: 0, top_p: 1 } }, prompts: {} };
		const started = process.cpuUsage();
		const changed = applyVariant(text, changes, fillPlaceholders);
		assert.equal(changed.split('name: big').length, 201);
		const ms = process.cpuUsage(started).user / 1000;
		assert.ok(ms < 6000, `${Math.round(ms)} ms`);
	}).timeout(60_000);
});
