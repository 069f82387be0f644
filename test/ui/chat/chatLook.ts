import assert from 'node:assert/strict';
import { xssPayloads } from '../../fixtures/xss.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { UserActions } from '../driver/userActions.ts';
import { ChatPage } from './chatPage.ts';
import type { DifyApp } from './difyApp.ts';
import { type FakeService, streamEvents, streamReply } from './fakeService.ts';
import { pastePng, png } from './pngFiles.ts';

const reply = [
	'## What it does',
	'It groups the rows by `key`, then **sums** them. See [the docs](https://docs.example/group) and ![a chart](https://img.example/chart.png).',
	'```ts\n// groups rows\nexport function group(rows: Row[]): Map<string, number> {\n\treturn new Map(rows.map(r => [r.key, 42]));\n}\n```',
	'| step | cost |\n|---|--:|\n| read | 1 ms |\n| group, which is the long one | 20 ms |',
	'- [x] read\n- [ ] write',
	'Its cost is $O(n \\log n)$, or $5 a day.[^1]',
	'```mermaid\nflowchart LR\n\taccTitle: From rows to sums\n\tA[Rows] --> B[Groups] --> C[Sums]\n```',
	'[^1]: For a million rows.',
	'> quoted words',
].join('\n\n');

/** Creates half a second of silence: a WAV file with 8 bits at 8,000 Hz. */
function createSilence(): string {
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

const createToolCall = (name: string) => [
	{ type: 'message_start', message: { model: 'fake-model', usage: { input_tokens: 7 } } },
	{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
	{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I look it up.' } },
	{ type: 'content_block_stop', index: 0 },
	{ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'tool-1', name, input: {} } },
	{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
	{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
	{ type: 'content_block_stop', index: 1 },
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
	{ type: 'message_stop' },
];

const cutAtLimit = [
	{ type: 'message_start', message: { model: 'fake-model', usage: { input_tokens: 7 } } },
	{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Much, but' } },
	{ type: 'content_block_stop', index: 0 },
	{ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 4096 } },
	{ type: 'message_stop' },
];

/** The services of a window's connections: "Fake" and "Content" to the first, "Leave" to the app. */
export interface ChatServices {
	readonly service: FakeService;
	readonly app: DifyApp;
}

/** Defines the tests of the appearance of a chat and of the parts of its replies, for a window in which no chat was opened yet. */
export function testChatLook(session: Session, services: ChatServices): void {
	let service: FakeService;
	let app: DifyApp;
	before(() => {
		({ service, app } = services);
	});
	after(() => session.workbench.useTheme('dark'));
	let chat: ChatPage;

	describe('the appearance of the chat', () => {
		before(() => service.setHandler(request => streamReply(request, reply)));

		it('has no serious axe finding when empty, in every theme', async () => {
			const { workbench } = session;
			chat = await ChatPage.openChatInSideBar(workbench);
			await expectNoSeriousFindings(workbench, 'chat-empty', async () => chat.frame, 'sideBar-background');
		});

		it('gets the first reply from a connection with one model in three actions, and shows the used context', async () => {
			const { workbench } = session;
			const user = new UserActions();
			await user.performAction(() => chat.frame.locator('.pick.model').click());
			await user.performAction(() => workbench.quickInput.getOption('fake-model').filter({ hasText: 'Fake' }).click());
			await chat.frame.locator('.pick.model', { hasText: 'Fake' }).waitFor();
			await user.performAction(() => chat.sendMessage('Hello'));
			await chat.getReply('quoted words').waitFor();
			assert.equal(user.count, 3);
			const gauge = chat.frame.getByRole('meter', { name: 'Tokens used' });
			await gauge.waitFor();
			await retryUntilPassing(async () =>
				assert.equal(await gauge.getAttribute('aria-valuetext'), '12 of 200 tokens in the context window (6%)'),
			);
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			assert.equal(await gauge.count(), 0);
		});

		it('renders all of Markdown in a reply', async () => {
			const { workbench } = session;
			await workbench.page.locator('.pane-header', { hasText: 'Agents' }).click();
			await workbench.page.locator('.pane-header[aria-expanded="false"]', { hasText: 'Agents' }).waitFor();
			await chat.box.click();
			await chat.selectTarget(workbench, 'Fake', 'fake-model');
			await chat.sendMessage('Explain this function');
			await chat.getReply('quoted words').waitFor();
			await chat.waitForIdleChat();
			await chat.frame.locator('.hljs-keyword').first().waitFor();
			await chat.frame.locator('.formula math', { hasText: 'log' }).waitFor();
			assert.equal(await chat.frame.locator('.formula').count(), 1);
			const diagram = chat.frame.getByRole('img', { name: 'From rows to sums' });
			await diagram.waitFor();
			await waitUntil('the drawn diagram', () => diagram.evaluate(image => (image as HTMLImageElement).naturalWidth > 100));
			await chat.frame.getByRole('button', { name: 'Show source' }).press('Enter');
			await chat.frame.locator('pre', { hasText: 'flowchart LR' }).waitFor();
			await chat.frame.getByRole('button', { name: 'Show source' }).press('Enter');
			await diagram.waitFor();
		});

		for (const theme of Object.keys(themes) as Theme[]) {
			it(`has no serious axe finding with a reply, ${theme}`, async () => {
				const { workbench } = session;
				await workbench.useTheme(theme);
				await chat.frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
				await workbench.takeScreenshot(`chat-${theme}`);
				assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
				await chat.frame.getByRole('button', { name: 'Settings' }).click();
				await chat.frame.getByLabel('temperature', { exact: true }).waitFor();
				await workbench.takeScreenshot(`chat-settings-${theme}`);
				assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
				await chat.frame.getByRole('button', { name: 'Settings' }).click();
			});
		}

		it('makes everything reachable by keyboard', async () => {
			await session.workbench.useTheme('dark');
			await chat.box.focus();
			const seen: string[] = [];
			for (let i = 0; i < 60; i++) {
				await chat.box.page().keyboard.press('Shift+Tab');
				const name = await chat.frame.evaluate(() => {
					const element = document.activeElement;
					return element?.getAttribute('aria-label') ?? element?.getAttribute('label') ?? element?.textContent?.trim() ?? '';
				});
				seen.push(name);
				if (name === 'fake-model Fake') {
					break;
				}
			}
			for (const wanted of ['Retry', 'Copy', 'Insert at cursor', 'Edit', 'Settings', 'Conversation', 'fake-model Fake']) {
				assert.ok(seen.includes(wanted), `${wanted} in ${seen.join(' | ')}`);
			}
		});

		it('announces the end of a reply once, politely', async () => {
			await retryUntilPassing(async () => assert.equal(await chat.frame.locator('[aria-live]').count(), 1));
			await retryUntilPassing(async () =>
				assert.equal(await chat.frame.locator('[aria-live="polite"]').textContent(), 'The reply is complete.'),
			);
		});

		it('loads no image before it is clicked', async () => {
			const requests: string[] = [];
			session.workbench.page.on('request', request => requests.push(request.url()));
			await chat.frame.getByRole('button', { name: /Load image from img\.example/ }).click();
			await chat.frame.getByText(/Couldn't load the image/).waitFor();
			assert.deepEqual(
				requests.filter(url => url.includes('img.example')),
				[],
			);
		});

		it('runs and loads nothing from a hostile reply', async () => {
			const { page } = session.workbench;
			const requests: string[] = [];
			page.on('request', request => requests.push(request.url()));
			service.setHandler(request => streamReply(request, `${xssPayloads.join('\n\n---\n\n')}\n\nthe end of it`));
			await chat.sendMessage('attack');
			await chat.getReply('the end of it').waitFor();
			await chat.waitForIdleChat();
			await chat.frame.locator('.turns').press('Home');
			const pwned = await Promise.all(page.frames().map(frame => frame.evaluate(() => 'pwned' in window).catch(() => false)));
			assert.ok(!pwned.includes(true));
			assert.deepEqual(
				requests.filter(url => url.includes('evil.example')),
				[],
			);
		});

		it('renders right-to-left text from right to left', async () => {
			service.setHandler(request => streamReply(request, 'שלום עולם, זה הסבר.'));
			await chat.sendMessage('مرحبا');
			const block = chat.replies.last().locator('.block', { hasText: 'שלום' });
			await block.waitFor();
			await retryUntilPassing(async () => assert.equal(await block.evaluate(element => getComputedStyle(element).direction), 'rtl'));
			assert.equal(
				await chat.messages
					.last()
					.locator('.plain')
					.evaluate(element => getComputedStyle(element).direction),
				'rtl',
			);
			await session.workbench.takeScreenshot('chat-rtl');
		});

		it('fits into 300 pixels', async () => {
			const overflow = await chat.frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.equal(overflow, 0);
			await retryUntilPassing(async () => assert.ok((await chat.frame.evaluate(() => window.innerWidth)) <= 300));
		});

		it('shows its accessibility help with Alt+F1, and returns to the message box', async () => {
			await chat.box.click();
			await chat.box.press('Alt+F1');
			const help = chat.frame.getByRole('dialog', { name: 'Accessibility help: Chat' });
			await help.getByText('The message box is at the end of the page.').waitFor();
			await session.workbench.takeScreenshotsInThemes('chat-help');
			assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
			await chat.frame.locator('#pageHelp').press('Escape');
			await help.waitFor({ state: 'hidden' });
			await chat.frame.locator('chat-composer textarea:focus').waitFor();
		});

		it('names the limit that cut off a reply, and leads to its setting', async () => {
			service.setHandler(request => streamEvents(request, cutAtLimit));
			await chat.sendMessage('tell me much');
			const reply = chat.replies.last();
			await reply.getByText('Cut off at 4,096 tokens.').waitFor();
			await session.workbench.takeScreenshot('chat-limit');
			await reply.getByText('Raise limit…').click();
			await chat.frame.locator('#setting-max_tokens:focus').waitFor();
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
		});

		it('offers a summary when the context window is nearly full, shows it in place of older messages, and undoes it', async () => {
			const { workbench } = session;
			const full = cutAtLimit.map(event =>
				event.type === 'message_start'
					? { ...event, message: { model: 'fake-model', usage: { input_tokens: 172, output_tokens: 4 } } }
					: event,
			);
			const short = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } };
			service.setHandler(request =>
				streamEvents(
					request,
					full.map(event => (event.type === 'message_delta' ? short : event)),
				),
			);
			await chat.sendMessage('fill the window');
			const offer = chat.frame.locator('.summaryOffer', { hasText: 'This chat uses 88% of the context window.' });
			await offer.waitFor();
			await workbench.takeScreenshotsInThemes('chat-summary-offer');
			service.setHandler(request => streamReply(request, 'They greeted **each other**.'));
			await offer.getByText('Summarize older messages').click();
			const summary = chat.frame.getByRole('region', { name: 'Summary that the model gets instead' });
			await summary.getByText('each other').waitFor();
			await workbench.takeScreenshotsInThemes('chat-summary');
			await chat.frame.getByText('Older messages, summarized').click();
			await chat.messages.first().waitFor();
			await summary.getByText('Undo').click();
			await summary.waitFor({ state: 'detached' });
		});

		it("offers to continue a cut reply, and says that an image isn't supported, in every theme", async () => {
			const { workbench } = session;
			service.setHandler(request => streamReply(request, 'Half of what I wanted', { cut: true }));
			await chat.sendMessage('tell me');
			await chat.replies.last().getByRole('button', { name: 'Continue' }).waitFor();
			await chat.selectEndpoint(workbench, 'Text completion');
			await pastePng(chat.box, 'dot.png');
			await chat.frame.locator('.composer .note', { hasText: 'Text completion only supports text.' }).waitFor();
			await expectNoSeriousFindings(workbench, 'chat-cut', async () => chat.frame, 'sideBar-background');
		});
	});

	describe('parts of a chat', () => {
		it('show a tool call, and accept its result', async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await chat.selectTarget(workbench, 'Fake', 'fake-model');
			await chat.selectEndpoint(workbench, 'Chat model');
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			const tools = chat.frame.getByLabel('tools', { exact: true });
			await tools.fill('[{ "name": "weather", "input_schema": { "type": "object" } }]');
			await tools.press('Tab');
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			service.setHandler(request => streamEvents(request, createToolCall('weather')));
			await chat.sendMessage('What is the weather in Oslo');
			const reply = chat.replies.last();
			await reply.getByText('Tool call: weather').click();
			await reply.locator('.tool pre', { hasText: '"city": "Oslo"' }).waitFor();
			assert.equal(service.received.at(-1)?.body.tools[0].name, 'weather');
			service.setHandler(request => streamReply(request, 'It rains.'));
			await reply.getByLabel('Result for weather').fill('rain, 4 degrees');
			await workbench.takeScreenshot('chat-tools');
			await reply.getByRole('button', { name: 'Send results' }).click();
			await chat.getReply('It rains.').waitFor();
			await chat.waitForIdleChat();
			const result = chat.messages.last();
			await result.getByText('Result of weather').click();
			await result.locator('.tool pre', { hasText: 'rain, 4 degrees' }).waitFor();
			assert.deepEqual(service.received.at(-1)?.body.messages.at(-1).content, [
				{ type: 'tool_result', tool_use_id: 'tool-1', content: 'rain, 4 degrees' },
			]);
			assert.equal(await reply.getByRole('button', { name: 'Send results' }).count(), 0);
		});

		it('run a tool after confirmation, and send its result to the model', async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await chat.selectTarget(workbench, 'Fake', 'fake-model');
			const name = 'agentWorkbench_listAgents';
			await chat.frame.locator('vscode-toolbar-button.tools').click();
			const rows = workbench.quickInput.widget.locator('.monaco-list-row');
			// which tools come first depends on what VS Code has loaded, so the row can be out of view
			await rows.first().waitFor();
			await workbench.quickInput.box.fill(name);
			const option = rows.filter({ hasText: name }).first();
			await option.waitFor();
			await option.click();
			await workbench.quickInput.widget.locator('.quick-input-count', { hasText: '1 Selected' }).waitFor();
			await workbench.quickInput.pressKey('Enter');
			await chat.frame.locator('vscode-toolbar-button.tools.chosen').waitFor();
			service.setHandler(request =>
				JSON.stringify(request.body).includes('tool_result')
					? streamReply(request, 'These are the agents.')
					: streamEvents(request, createToolCall(name)),
			);
			await chat.sendMessage('Which agents are there');
			const reply = chat.replies.last();
			const asked = reply.locator('.toolAsked');
			await asked.locator('pre', { hasText: '"city": "Oslo"' }).waitFor();
			await workbench.takeScreenshot('chat-tool-asked');
			await asked.getByRole('button', { name: 'Allow once' }).press('Enter');
			await chat.getReply('These are the agents.').waitFor();
			await chat.waitForIdleChat();
			const ran = reply.locator('details.ran[data-status="done"]');
			await ran.locator('summary').click();
			await ran.locator('pre', { hasText: '"servers"' }).waitFor();
			await workbench.takeScreenshot('chat-tool-ran');
			const [result] = service.received.at(-1)?.body.messages.at(-1).content ?? [];
			assert.equal(result.type, 'tool_result');
			assert.match(result.content, /"servers"/);
		});

		it('send the chosen safety settings', async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await chat.selectTargetWithKey(workbench, 'Content', 'some-key', 'fake-model');
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			const harassment = chat.frame.getByLabel('HARM_CATEGORY_HARASSMENT');
			await harassment.selectOption('BLOCK_ONLY_HIGH');
			await chat.frame.getByLabel('HARM_CATEGORY_DANGEROUS_CONTENT').selectOption('OFF');
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
			await chat.sendMessage('one');
			await chat.getReply('Echo: one').waitFor();
			await chat.waitForIdleChat();
			assert.deepEqual(service.received.at(-1)?.body.safetySettings, [
				{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
				{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'OFF' },
			]);
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			await retryUntilPassing(async () => assert.equal(await harassment.inputValue(), 'BLOCK_ONLY_HIGH'));
			await harassment.selectOption('');
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			await chat.sendMessage('two');
			await chat.getReply('Echo: two').waitFor();
			await chat.waitForIdleChat();
			assert.equal(service.received.at(-1)?.body.safetySettings.length, 1);
		});

		it('play received audio', async () => {
			const parts = [{ text: 'Listen: ' }, { inlineData: { mimeType: 'audio/wav', data: createSilence() } }];
			service.setHandler(request =>
				streamEvents(request, [{ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }]),
			);
			await chat.sendMessage('say something');
			const audio = chat.replies.last().locator('audio');
			await audio.waitFor();
			await waitUntil('the length of the sound', () => audio.evaluate(element => (element as HTMLAudioElement).duration > 0));
			await retryUntilPassing(async () => assert.equal(await audio.evaluate(element => (element as HTMLAudioElement).duration), 0.5));
			await session.workbench.takeScreenshot('chat-audio');
		});
	});

	describe('of a Dify app', () => {
		before(async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await chat.selectTargetWithKey(workbench, 'Leave', 'app-key', 'Leave');
			app.speech = { type: 'audio/wav', data: Buffer.from(createSilence(), 'base64') };
			app.picture = Buffer.from(png, 'base64');
			app.events = [
				{ event: 'agent_message', answer: 'I look it up. ' },
				{
					event: 'agent_thought',
					id: 's1',
					thought: xssPayloads.join(' '),
					tool: 'search',
					tool_input: '{"q":"leave"}',
					observation: 'found',
				},
				{
					event: 'message_file',
					id: 'f1',
					type: 'image',
					belongs_to: 'assistant',
					url: '/files/tools/calendar.png',
					filename: `calendar${xssPayloads[0]}`,
				},
				{ event: 'agent_message', answer: 'You have 28 days.' },
				{ event: 'message', answer: 'I look it up. You have 28 days.' },
				{
					event: 'message_end',
					metadata: {
						retriever_resources: [{ document_name: 'leave.md', dataset_name: 'Handbook', score: 0.98, content: xssPayloads.join(' ') }],
					},
				},
			];
			await chat.sendMessage('How many days?');
			await chat.getReply('You have 28 days.').waitFor();
			await chat.waitForIdleChat();
		});

		it('show text, steps and sources once, without a serious axe finding', async () => {
			const reply = chat.replies.last();
			await retryUntilPassing(async () =>
				assert.deepEqual(
					(await reply.locator('markdown-text').allTextContents()).map(each => each.trim()),
					['I look it up.', 'You have 28 days.'],
				),
			);
			await reply.locator('details.step summary').press('Enter');
			await reply.locator('details.step pre', { hasText: 'found' }).waitFor();
			await reply.locator('.sources summary', { hasText: 'leave.md' }).press('Enter');
			await reply.locator('.sources blockquote', { hasText: xssPayloads[0]! }).waitFor();
			await chat.frame.getByRole('group', { name: 'Suggested questions' }).waitFor();
			const picture = reply.getByRole('img', { name: 'Image calendar' });
			await reply.getByRole('button', { name: 'Load image from Leave' }).waitFor();
			assert.equal(await picture.count(), 0);
			await session.workbench.takeScreenshot('chat-app');
			assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
			await reply.getByRole('button', { name: 'Load image from Leave' }).press('Enter');
			await picture.waitFor();
			await reply.getByRole('button', { name: /^Save 'calendar/ }).waitFor();
			await session.workbench.takeScreenshot('chat-app-picture');
			assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
		});

		it('rate a reply, read it aloud and turn it into an annotation, by keyboard', async () => {
			const reply = chat.replies.last();
			await reply.getByRole('button', { name: 'Good reply' }).press('Enter');
			await reply.getByRole('button', { name: 'Good reply', pressed: true }).waitFor();
			await reply.getByRole('button', { name: 'Read aloud' }).press('Enter');
			await reply.locator('audio').waitFor();
			await reply.getByRole('button', { name: 'Save as annotation…' }).press('Enter');
			const pane = chat.frame.locator('.annotation');
			await pane.getByLabel('Answer').fill('28 days, of which five carry over.');
			await pane.locator('vscode-button', { hasText: 'Save' }).press('Enter');
			await pane.waitFor({ state: 'detached' });
			assert.deepEqual(
				app.annotations.map(({ question, answer }) => [question, answer]),
				[['How many days?', '28 days, of which five carry over.']],
			);
			const ratings = app.asked.filter(({ to }) => to.endsWith('/m1/feedbacks')).map(({ body }) => body['rating']);
			assert.deepEqual(ratings, ['like']);
		});

		it('send a suggested question in the same conversation', async () => {
			await chat.frame.locator('.suggested .question').first().press('Enter');
			await chat.messages.filter({ hasText: 'Can I take them in one go?' }).waitFor();
			await waitUntil(
				'the question at the service',
				() => app.asked.findLast(({ to }) => to.endsWith('/chat-messages'))?.body['conversation_id'] === 'c1',
			);
			await chat.waitForIdleChat();
		});
	});
}
