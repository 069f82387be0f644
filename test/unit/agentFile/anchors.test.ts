import assert from 'node:assert/strict';
import fs from 'node:fs';
import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { applyChanges } from '#agentFile/writing/textChanges.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { nastyAgentFiles } from '../../support/nastyAgentFiles.ts';

const { shared = '' } = nastyAgentFiles;
const support = fs.readFileSync(new URL('../../../samples/agents/support.yml', import.meta.url), 'utf8');
const model = `&model
            provider: langgenius/anthropic/anthropic
            name: claude-haiku-4-5
            mode: chat
            completion_params: { temperature: 0 }`;

function applyEdit(text: string, operation: GraphOperation): string {
	const result = applyOperation(text, operation);
	assert.ok('changes' in result, 'refused' in result ? result.refused : '');
	return applyChanges(text, result.changes);
}

function getData(text: string, id: string): unknown {
	return readAgentGraph(new AgentText(text).content).nodes.find(node => node.id === id)?.data;
}

describe('an anchor whose value is removed by an operation', () => {
	it('moves to its first alias with its value, and other aliases stay', () => {
		const text = applyEdit(support, { do: 'delete', nodes: ['sort'] });
		assert.doesNotThrow(() => loadAgent(text, 'a.yml'));
		assert.ok(text.includes(`title: Answer the question\n          model: ${model}\n          prompt_template:`));
		assert.equal(text.match(/model: \*model/g)?.length, 2);
		const changed = applyEdit(support, { do: 'set', node: 'sort', path: ['model', 'name'], value: 'other' });
		assert.equal(changed, support.replace(': *model', `: ${model}`).replace(' &model', '').replace('claude-haiku-4-5', 'other'));
	});

	it('keeps blocks, comments and inner aliases, and gets brackets if its alias is in brackets', () => {
		const text = applyEdit(shared, { do: 'delete', nodes: ['a'] });
		assert.match(
			text.replaceAll(/\s+/g, ' '),
			/model: \{<<: \[\{ mode: chat \}, # which &model \{ provider: &who p, # the name name: m, mode: chat, completion_params: &params \{ stop: &stop \[ x, # first "y, z" \] \} \}\], provider: \*who, completion_params: \{stop: \*stop\}\}/,
		);
		assert.match(text, /prompt_template: &prompt\n {8}- \{role: user, text: "q"\}\n/);
		assert.match(applyEdit(text, { do: 'delete', nodes: ['b'] }), /&model \{/);
		const assertSameData = (id: string, after: string) => assert.deepEqual(getData(after, id), getData(shared, id));
		assertSameData('b', text);
		assertSameData('c', text);
	});

	it('is removed when another value replaces its value', () => {
		for (const value of ['B', '<<', '', 'x\n', 5]) {
			const text = applyEdit(shared, { do: 'set', node: 'a', path: ['title'], value });
			assert.equal(text.match(/&name/g)?.length, 1, text);
			assert.equal((getData(text, 'a') as { title: unknown }).title, value);
			const listOtherTitles = (of: string) => ['b', 'c'].map(id => (getData(of, id) as { title?: unknown } | undefined)?.title);
			assert.deepEqual(listOtherTitles(text), listOtherTitles(shared));
		}
	});

	it('moves out of a node in which a part of the value changes, and out of no other node', () => {
		const text = applyEdit(shared, { do: 'set', node: 'a', path: ['model', 'completion_params', 'stop', 0], value: 'w' });
		assert.match(text, /stop:\n {12}- w # first\n/);
		assert.match(text, / {10}provider: &who p\n/);
		assert.match(text, /&model \{\s+provider: \*who/);
		const described = applyEdit(shared, { do: 'set', node: 'start', path: ['desc'], value: 'three\n' });
		assert.match(described, /desc: \|\n {10}three\n[\s\S]*desc: &desc \| {3}# as above\n {10}one\n\n {12}two\n[\s\S]*desc: \*desc/);
		const placed = applyEdit(shared, { do: 'move', nodes: [{ id: 'start', x: 5, y: 6 }] });
		assert.match(placed, /position: \{ x: 5, y: 6 \} {3}# both[\s\S]*position: &here \{ x: 1, y: 2 \}[\s\S]*position: \*here/);
		const moved = applyEdit(shared, { do: 'move', nodes: ['start', 'a'].map(id => ({ id, x: 5, y: 6 })) });
		assert.match(moved, /position: \{ x: 5, y: 6 \} {3}# both[\s\S]*position: \{x: 5, y: 6\}[\s\S]*position: &here \{ x: 1, y: 2 \}/);
	});

	it('leaves anchors of inner values at their place, because PyYAML rejects a second one', () => {
		const text = `kind: app
workflow:
  graph:
    nodes:
      - id: a
        data:
          model: &model
            name: m
            params: &params
              stop: x
            more: &more {a: 1}
      - id: b
        data: {model: *model}
    edges: []
`;
		const changed = applyEdit(text, { do: 'set', node: 'a', path: ['model', 'name'], value: 'n' });
		assert.deepEqual(changed.match(/&\w+/g), ['&params', '&more', '&model']);
		assert.deepEqual(getData(changed, 'b'), getData(text, 'b'));
		assert.deepEqual(applyEdit(text, { do: 'delete', nodes: ['a'] }).match(/&\w+/g), ['&model', '&params', '&more']);
	});
});
