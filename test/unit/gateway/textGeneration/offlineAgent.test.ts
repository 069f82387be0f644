import assert from 'node:assert/strict';
import type { ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { builtInTools } from '#engine/tools/builtInTools.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';

const models = new GatewayTextModels(new TextGeneration(new RouteTable([], new Map())));
const tools = ['current_time', 'eval_expression', 'webscraper'].map(name => builtInTools.get(name)).filter(tool => tool !== undefined);
const question = 'What time is it in Europe/Berlin, and what is 12 * (3 + 4)?';

async function askAgent(request: Omit<ModelRequest, 'model'>): Promise<{ text: string; calls: Extract<ModelPart, { type: 'call' }>[] }> {
	const parts: ModelPart[] = [];
	for await (const part of models.streamReply({ model: 'offline', ...request }, new AbortController().signal)) {
		parts.push(part);
	}
	const text = parts.map(part => (part.type === 'text' ? part.text : '')).join('');
	return { text, calls: parts.filter(part => part.type === 'call') };
}

describe('the offline model of an agent', () => {
	it('calls each tool named in the question with values from it, then repeats the results', async () => {
		const messages: ModelRequest['messages'][number][] = [{ role: 'user', content: question }];
		const called: [string, unknown][] = [];
		for (let reply = await askAgent({ messages, tools }); reply.calls.length > 0; reply = await askAgent({ messages, tools })) {
			const [call] = reply.calls;
			assert.ok(call && called.length < 5);
			called.push([call.name, JSON.parse(call.input)]);
			messages.push(
				{ role: 'assistant', content: reply.text, calls: [call] },
				{ role: 'tool', content: `result ${called.length}`, answers: call },
			);
		}
		assert.deepEqual(called, [
			['current_time', { timezone: 'Europe/Berlin' }],
			['eval_expression', { expression: '12 * (3 + 4)' }],
		]);
		const { text } = await askAgent({ messages, tools });
		assert.match(
			text,
			/^This is the offline model, which is built in and isn't a language model\. The tool current_time returned: "result 1"\. The tool eval_expression returned: "result 2"\./,
		);
	});

	it("calls no tool that the question doesn't name, and none if it isn't allowed to", async () => {
		assert.deepEqual((await askAgent({ messages: [{ role: 'user', content: 'Hello.' }], tools })).calls, []);
		assert.deepEqual((await askAgent({ messages: [{ role: 'user', content: question }], tools, callsNoTools: true })).calls, []);
	});

	it('writes its actions as text if the prompt describes tools', async () => {
		const first = await askAgent({ messages: [{ role: 'user', content: question }], toolsInPrompt: tools });
		assert.match(first.text, /\nAction: \{"action":"current_time","action_input":\{"timezone":"Europe\/Berlin"\}\}$/);
		const scratchpad = `Thought: t\n\nAction: {"action":"current_time","action_input":{}}\n\nObservation: noon\n\nThought: t\n\nAction: {"action":"eval_expression","action_input":{}}\n\nObservation: 84\n\n`;
		const messages = [
			{ role: 'user' as const, content: question },
			{ role: 'assistant' as const, content: scratchpad },
			{ role: 'user' as const, content: 'continue' },
		];
		assert.match(
			(await askAgent({ messages, toolsInPrompt: tools })).text,
			/\nFinalAnswer: This is the offline model,.* returned: "noon"\..* returned: "84"\./,
		);
	});
});
