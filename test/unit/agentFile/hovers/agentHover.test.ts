import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { loadAgentSchema } from '#agentFile/checks/loadAgentSchema.ts';
import { findAgentHover } from '#agentFile/hovers/agentHover.ts';
import { AgentReading } from '#agentFile/reading/agentReading.ts';
import { agentFileSchemaPath } from '../../../../scripts/agentFileSchema.ts';
import { root } from '../../../../scripts/lib/paths.ts';
import { english } from '../../../support/english.ts';

const schema = new AgentSchema(JSON.parse(fs.readFileSync(agentFileSchemaPath, 'utf8')));
/** Returns the hover at the `¦` mark: name, facts, lines and the hovered word. */
const findHoverText = (marked: string) => {
	const text = marked.replace('¦', '');
	const found = findAgentHover(new AgentReading(text), marked.indexOf('¦'), schema, english);
	return found && [found.name, found.facts, found.lines, text.slice(found.offset, found.offset + found.length)];
};
const createFile = (data: string) => `app: { mode: workflow }
workflow:
  environment_variables: [{ name: token, value_type: secret, description: Key of the shop }]
  graph:
    nodes:
      - { id: start, data: { type: start, title: Begin, variables: [{ variable: text, type: paragraph }] } }
      - id: a
        data: ${data}
    edges: [{ source: start, target: a }]
`;

describe('hovers in agent files', () => {
	it('show the description and values of a field', () => {
		assert.deepEqual(findHoverText(createFile('{ type: iteration, error_handle¦_mode: terminated }'))?.slice(0, 2), [
			'error_handle_mode',
			['string'],
		]);
		assert.deepEqual(findHoverText(createFile('{ type: loop, loop_count: ¦3 }')), [
			'loop_count',
			['integer', 'required'],
			['Maximum number of iterations.'],
			'3',
		]);
		assert.deepEqual(findHoverText(createFile('{ type: llm, reasoning_format: tag¦ged }'))?.[2], [
			"'tagged' keeps the model's thinking in the text, 'separated' moves it to reasoning_content.",
			'Possible values: separated, tagged.',
		]);
		assert.deepEqual(findHoverText(createFile('{}').replace('mode: workflow', 'mo¦de: workflow'))?.[0], 'mode');
	});

	it('show the node of an ID, and the source of a variable', () => {
		assert.deepEqual(findHoverText(createFile('{ type: answer, title: Say }').replace('target: a', 'target: ¦a')), [
			'Say',
			['Answer', 'a'],
			['Adds text to the chat reply.'],
			'a',
		]);
		assert.deepEqual(findHoverText(createFile('{ type: answer, answer: "See {{#env.to¦ken#}}" }')), [
			'env.token',
			['secret'],
			['Key of the shop', 'An environment variable of the agent.'],
			'env.token',
		]);
		assert.deepEqual(findHoverText(createFile('{ type: document-extractor, variable_selector: [start, te¦xt] }')), [
			'start.text',
			['string'],
			["Output of 'Begin' (User Input, start)."],
			'start, text',
		]);
	});

	it('show descriptions in the language of the editor', () => {
		const translated = loadAgentSchema(root, (message: unknown) => `[${String(message)}]`);
		const found = findAgentHover(new AgentReading('app: { mode: workflow }'), 7, translated, english);
		assert.match(found?.lines[0] ?? '', /^\[With a workflow: .*\]$/);
	});

	it('show nothing for unknown fields', () => {
		assert.equal(findHoverText(createFile('{ type: answer, zz: ¦1 }')), undefined);
		assert.equal(findHoverText(createFile('{ type: answer } # ¦a')), undefined);
		assert.equal(findHoverText('¦'), undefined);
	});
});
