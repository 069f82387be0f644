import assert from 'node:assert/strict';
import { getOutputHandles } from '#agentFile/agentGraph.ts';
import { listVariableScopes } from '#agentFile/agentVariables.ts';
import { listOpenSecrets } from '#editor/agents/files/openSecrets.ts';

const file = `app: {name: a, mode: workflow}
workflow:
  environment_variables:
    - {name: EMPTY, value_type: secret, value: "", description: Key of the shop}
    - {name: NAMED, value_type: secret, value: "\${env:SHOP_KEY}"}
    - {name: WRITTEN, value_type: secret, value: abc}
    - {name: PLAIN, value_type: string, value: ""}
  graph:
    nodes:
      - {id: begin, data: {type: start, title: Start}}
      - {id: hook, data: {type: trigger-webhook, title: Called}}
      - {id: inner, parentId: each, data: {type: start, title: no root}}
      - {id: ask, data: {type: human-input, title: Ask}}
    edges: []
`;

describe('secrets and forms of agent files', () => {
	it('lists secrets without a value, with the environment variable they refer to', () => {
		assert.deepEqual(listOpenSecrets(file), [
			{ name: 'EMPTY', description: 'Key of the shop' },
			{ name: 'NAMED', description: '', environment: 'SHOP_KEY' },
		]);
		assert.deepEqual(listOpenSecrets('{ not yaml'), []);
	});

	it('lists the output handles and variables of a form node', () => {
		const data = {
			user_actions: [{ id: 'yes' }, { id: 'no' }],
			inputs: [
				{ type: 'paragraph', output_variable_name: 'note' },
				{ type: 'file-list', output_variable_name: 'papers' },
			],
		};
		const node = { id: 'ask', type: 'human-input', title: 'Ask', parent: undefined, at: 0, data, position: undefined };
		assert.deepEqual(getOutputHandles(node), ['yes', 'no', '__timeout']);
		const [scope] = listVariableScopes({ nodes: [node], edges: [], workflow: {} }, () => true);
		assert.deepEqual(
			scope?.variables.map(({ name, type }) => `${name}:${type}`),
			['__action_id:string', '__action_value:string', '__rendered_content:string', 'note:string', 'papers:array[file]'],
		);
		assert.equal(scope?.open, false);
	});
});
