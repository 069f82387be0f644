import assert from 'node:assert/strict';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { OfflineModel } from '#models/offline/offlineModel.ts';
import { chooseSize } from './support/long.ts';

const model = new OfflineModel('offline');
const generateReply = (text: string, more: Partial<LanguageModelV4CallOptions> = {}) =>
	model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }], ...more });
const generateJson = async (schema: object) => {
	const { content } = await generateReply('x', { responseFormat: { type: 'json', schema } });
	const [first] = content;
	assert.ok(first?.type === 'text');
	return first.text;
};

// each of these used to take from 16 seconds to forever; mocha's timeout fails the test if they don't end
describe('expensive requests to the offline model', () => {
	it('are answered with a directive that is opened 30,000 times and never closed', async () => {
		for (const text of [
			'[offline:'.repeat(30_000),
			'[offline: '.repeat(30_000),
			`[offline:${' '.repeat(300_000)}`,
			'call '.repeat(60_000),
		]) {
			assert.equal((await generateReply(text)).finishReason.unified, 'stop');
		}
	}).timeout(chooseSize(60_000, 5_000));

	it('call the tool that the text names, with 20,000 tools and a long text', async () => {
		const tools = Array.from({ length: 20_000 }, (_, i) => ({
			type: 'function' as const,
			name: `Tool_${i}`,
			inputSchema: { type: 'object' as const },
		}));
		const { content } = await generateReply(`${'Do use the tools. '.repeat(10_000)} Now call tool_19999.`, { tools });
		assert.equal(content.find(part => part.type === 'tool-call')?.toolName, 'Tool_19999');
	}).timeout(chooseSize(60_000, 10_000));

	it('return a reasonable amount for schemas with endless lists, texts and trees', async () => {
		const tree = { type: 'object', properties: { l: { $ref: '#' }, r: { $ref: '#' } }, required: ['l', 'r'] };
		for (const schema of [
			{ type: 'array', minItems: 1e9, items: { type: 'integer' } },
			{ type: 'array', minItems: 1e6, items: { type: 'array', minItems: 1e6, items: { type: 'array', minItems: 1e6 } } },
			{ type: 'array', minItems: 1e5, items: { type: 'string', minLength: 1e5 } },
			{ type: 'string', minLength: 1e12 },
			{ allOf: Array.from({ length: 20 }, () => ({ $ref: '#' })) },
			tree,
		]) {
			assert.ok((await generateJson(schema)).length < 2_000_000);
		}
	}).timeout(chooseSize(60_000, 20_000));
});
