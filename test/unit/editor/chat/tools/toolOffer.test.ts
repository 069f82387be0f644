import assert from 'node:assert/strict';
import { readDeclaredNames } from '#editor/chat/endpoints/toolDeclarations.ts';
import type { ChatTool } from '#editor/chat/tools/chatTool.ts';
import { createToolOffer } from '#editor/chat/tools/toolOffer.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';

const createTool = (name: string, kind: ChosenTool['kind'] = 'editor'): ChatTool => ({
	chosen: { kind, name },
	title: name,
	where: '',
	description: '',
	inputSchema: {},
	run: async () => ({ text: '', isError: false }),
});

describe('names of tools', () => {
	it('are valid, unique and map back to their tools', () => {
		const tools = [
			createTool('читать'),
			createTool('a.b'),
			createTool('a b'),
			createTool('1st'),
			createTool('x'.repeat(90)),
			createTool('x'.repeat(91)),
			createTool('Weather in Oslo', 'agent'),
		];
		const offer = createToolOffer(tools, new Set(['st']));
		assert.deepEqual([...offer.values()], tools);
		const names = [...offer.keys()];
		assert.ok(
			names.every(name => /^[A-Za-z][\w-]{0,63}$/.test(name)),
			names.join(),
		);
		assert.deepEqual(names.slice(0, 4), ['tool', 'a_b', 'a_b_2', 'st_2']);
		assert.equal(names.at(-1), 'agent_Weather_in_Oslo');
	});

	it('are read from tools that the user declared for any endpoint', () => {
		const tools = [{ name: 'a' }, { function: { name: 'b' } }, { functionDeclarations: [{ name: 'c' }] }, 'nothing', null];
		assert.deepEqual([...readDeclaredNames(tools)], ['a', 'b', 'c']);
	});
});
