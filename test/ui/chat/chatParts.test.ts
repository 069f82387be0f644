import assert from 'node:assert/strict';
import { useWorkbench } from '../driver/session.ts';
import { waitUntil } from '../driver/waitUntil.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, startFakeService, stream, streamEvents } from './fakeService.ts';

/** Half a second of silence: a WAV file of 8 bits at 8,000 Hz. */
function silence(): string {
	const samples = 4000;
	const wav = Buffer.alloc(44 + samples, 0x80);
	wav.write('RIFF', 0);
	wav.writeUInt32LE(36 + samples, 4);
	wav.write('WAVEfmt ', 8);
	wav.writeUInt32LE(16, 16);
	wav.writeUInt16LE(1, 20);
	wav.writeUInt16LE(1, 22);
	wav.writeUInt32LE(8000, 24);
	wav.writeUInt32LE(8000, 28);
	wav.writeUInt16LE(1, 32);
	wav.writeUInt16LE(8, 34);
	wav.write('data', 36);
	wav.writeUInt32LE(samples, 40);
	return wav.toString('base64');
}

const toolCall = [
	{ type: 'message_start', message: { model: 'fake-model', usage: { input_tokens: 7 } } },
	{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look it up.' } },
	{ type: 'content_block_stop', index: 0 },
	{ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'tool-1', name: 'weather', input: {} } },
	{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
	{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
	{ type: 'content_block_stop', index: 1 },
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
	{ type: 'message_stop' },
];

describe('parts of a chat', () => {
	let service: FakeService;
	const settings: Record<string, unknown> = {};
	before(async () => {
		service = await startFakeService();
		settings['agentWorkbench.connections'] = [
			{ id: 'fake', name: 'Fake', kind: 'anthropic-compatible', baseUrl: service.url },
			{ id: 'content', name: 'Content', kind: 'gemini', baseUrl: service.url },
		];
	});
	after(() => service?.close());
	const session = useWorkbench({ settings });
	let chat: ChatPage;

	it('show a call of a tool, and take what it gave', async () => {
		const { workbench } = session;
		chat = await ChatPage.inView(workbench);
		await chat.pick(workbench, 'connection', 'Fake');
		await chat.pick(workbench, 'model', 'fake-model');
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		const tools = chat.frame.getByLabel('tools', { exact: true });
		await tools.fill('[{ "name": "weather", "input_schema": { "type": "object" } }]');
		await tools.press('Tab');
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		service.answer(request => streamEvents(request, toolCall));
		await chat.say('What is the weather in Oslo');
		const reply = chat.replies.last();
		await reply.getByText('Calls the tool weather').click();
		await reply.locator('.tool pre', { hasText: '"city": "Oslo"' }).waitFor();
		assert.equal(service.received.at(-1)?.body.tools[0].name, 'weather');
		service.answer(request => stream(request, 'It rains.'));
		await reply.getByLabel('Result for weather').fill('rain, 4 degrees');
		await workbench.screenshot('chat-tools');
		await reply.getByRole('button', { name: 'Send results' }).click();
		await chat.reply('It rains.').waitFor();
		await chat.idle();
		const result = chat.messages.last();
		await result.getByText('Result of weather').click();
		await result.locator('.tool pre', { hasText: 'rain, 4 degrees' }).waitFor();
		assert.deepEqual(service.received.at(-1)?.body.messages.at(-1).content, [
			{ type: 'tool_result', tool_use_id: 'tool-1', content: 'rain, 4 degrees' },
		]);
		assert.equal(await reply.getByRole('button', { name: 'Send results' }).count(), 0);
	});

	it('send what the service is to block', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: New Chat');
		await chat.fresh();
		await chat.pick(workbench, 'connection', 'Content');
		await chat.frame.locator('.pick.model').click();
		await workbench.quickInput.widget.waitFor();
		await workbench.quickInput.answer('some-key');
		await workbench.quickInput.pick('fake-model');
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		const harassment = chat.frame.getByLabel('HARM_CATEGORY_HARASSMENT');
		await harassment.selectOption('BLOCK_ONLY_HIGH');
		await chat.frame.getByLabel('HARM_CATEGORY_DANGEROUS_CONTENT').selectOption('OFF');
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		service.answer(request => stream(request, `Echo: ${request.text}`));
		await chat.say('one');
		await chat.reply('Echo: one').waitFor();
		await chat.idle();
		assert.deepEqual(service.received.at(-1)?.body.safetySettings, [
			{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
			{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'OFF' },
		]);
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		assert.equal(await harassment.inputValue(), 'BLOCK_ONLY_HIGH');
		await harassment.selectOption('');
		await chat.frame.getByRole('button', { name: 'Settings' }).click();
		await chat.say('two');
		await chat.reply('Echo: two').waitFor();
		await chat.idle();
		assert.equal(service.received.at(-1)?.body.safetySettings.length, 1);
	});

	it('play audio that comes', async () => {
		const parts = [{ text: 'Listen: ' }, { inlineData: { mimeType: 'audio/wav', data: silence() } }];
		service.answer(request =>
			streamEvents(request, [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }]),
		);
		await chat.say('say something');
		const audio = chat.replies.last().locator('audio');
		await audio.waitFor();
		await waitUntil('the length of the sound', () => audio.evaluate(element => (element as HTMLAudioElement).duration > 0));
		assert.equal(await audio.evaluate(element => (element as HTMLAudioElement).duration), 0.5);
		await session.workbench.screenshot('chat-audio');
	});
});
