import assert from 'node:assert/strict';
import { retryUntilPassing } from '../driver/eventually.ts';
import { useWorkbench } from '../driver/session.ts';
import { testChatInEditor } from './chatInEditor.ts';
import { type ChatServices, testChatLook } from './chatLook.ts';
import { ChatPage } from './chatPage.ts';
import { startDifyApp } from './difyApp.ts';
import { type FakeService, sendError, startFakeService, startStream, streamReply } from './fakeService.ts';
import { pastePng, png } from './pngFiles.ts';

describe('the chat', () => {
	let service: FakeService;
	const services = {} as { -readonly [Name in keyof ChatServices]: ChatServices[Name] };
	// a reload with an unsaved file asks for confirmation unless VS Code keeps the text
	const settings: Record<string, unknown> = { 'files.hotExit': 'onExit' };
	before(async () => {
		services.service = await startFakeService();
		services.app = await startDifyApp();
		service = services.service;
		settings['agentWorkbench.connections'] = [
			{ id: 'fake', name: 'Fake', kind: 'anthropic-compatible', baseUrl: service.url },
			{ id: 'content', name: 'Content', kind: 'gemini', baseUrl: service.url },
			{ id: 'app', name: 'Leave', kind: 'dify', baseUrl: services.app.url },
		];
	});
	after(() => Promise.all([services.service?.close(), services.app?.close()]));
	const session = useWorkbench({ settings, contacts: ['img.example'] });
	let chat: ChatPage;

	async function openNewChat(): Promise<void> {
		await session.workbench.runCommand('Agent Workbench Chat: New Chat');
		await chat.waitForNewChat();
	}

	describe('and its appearance', () => testChatLook(session, services));

	describe('with the Messages endpoint', () => {
		before(async () => {
			service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
			chat = await ChatPage.openChatInSideBar(session.workbench);
		});

		it('streams a reply, sends the earlier turns and shows the cost', async () => {
			await openNewChat();
			await session.workbench.openFile('summarize.yml');
			await chat.selectTarget(session.workbench, 'Fake', 'fake-model');
			// the focus returns to the message, not to the open file
			await chat.frame.waitForFunction(() => document.hasFocus() && document.activeElement?.tagName === 'TEXTAREA');
			await session.workbench.page.keyboard.type('first');
			await session.workbench.page.keyboard.press('Enter');
			await chat.getReply('Echo: first').waitFor();
			await session.workbench.closeEditors();
			await chat.sendMessage('second');
			await chat.getReply('Echo: second').waitFor();
			await chat.waitForIdleChat();
			await chat
				.getReply(/7 in \/ 5 out · Finished/)
				.first()
				.waitFor();
			const { body } = service.received.at(-1)!;
			assert.deepEqual(
				body.messages.map((m: { role: string; content: string }) => [m.role, m.content]),
				[
					['user', 'first'],
					['assistant', 'Echo: first'],
					['user', 'second'],
				],
			);
		});

		it('stops a reply and keeps its partial text', async () => {
			const closed = new Promise<void>(resolve => {
				service.setHandler(request => {
					startStream(request).text('The beginning ');
					request.response.on('close', resolve);
				});
			});
			await chat.sendMessage('stop me');
			await chat.getReply('The beginning').waitFor();
			await chat.stop.click();
			await closed;
			await chat.getReply(/The beginning.*Stopped\. The partial reply was saved\./s).waitFor();
			await chat.waitForIdleChat();
		});

		it('continues a partial reply as another version', async () => {
			service.setHandler(request => streamReply(request, 'and the end.'));
			await chat.replies.last().getByRole('button', { name: 'Continue' }).click();
			await chat.getReply('The beginning and the end.').waitFor();
			await chat.waitForIdleChat();
			const { messages } = service.received.at(-1)!.body;
			assert.deepEqual(messages.at(-1), { role: 'assistant', content: 'The beginning' });
			await chat.clickButton(chat.replies.last(), 'Previous version');
			await chat.getReply(/The beginning.*Stopped/s).waitFor();
		});

		it('retries a reply, and returns to the earlier version', async () => {
			service.setHandler(request => streamReply(request, 'another answer'));
			await chat.clickButton(chat.replies.last(), 'Retry');
			await chat.getReply('another answer').waitFor();
			await chat.replies.last().getByText('3/3').waitFor();
			await chat.clickButton(chat.replies.last(), 'Previous version');
			await chat.getReply('The beginning and the end').waitFor();
			await chat.clickButton(chat.replies.last(), 'Next version');
			await chat.getReply('another answer').waitFor();
		});

		it('lets a model of the list reply beside the others', async () => {
			await chat.retryWithTarget(session.workbench, 'Fake', 'fake-model');
			await chat.replies.last().getByText('4/4').waitFor();
			await chat.getReply('another answer').waitFor();
			await chat.waitForIdleChat();
			await session.workbench.takeScreenshot('chat-versions');
		});

		it('edits an earlier message and resends it, keeping the old branch', async () => {
			service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
			await chat.clickButton(chat.messages.first(), 'Edit');
			const editor = chat.messages.first().locator('textarea');
			await retryUntilPassing(async () => assert.equal(await editor.inputValue(), 'first'));
			await editor.fill('first, changed');
			await editor.press('Control+Enter');
			await chat.getReply('Echo: first, changed').waitFor();
			await retryUntilPassing(async () => assert.equal(await chat.replies.count(), 1));
			assert.equal(service.received.at(-1)?.body.messages.length, 1);
			await chat.clickButton(chat.messages.first(), 'Previous version');
			await chat.getReply('another answer').waitFor();
		});

		it('recalls sent messages with the arrow keys', async () => {
			await chat.box.fill('draft');
			await chat.box.press('Home');
			await chat.box.press('ArrowUp');
			await retryUntilPassing(async () => assert.equal(await chat.box.inputValue(), 'first, changed'));
			await chat.box.press('ArrowDown');
			await retryUntilPassing(async () => assert.equal(await chat.box.inputValue(), 'draft'));
			await chat.box.fill('');
		});

		it('attaches a pasted image and sends it as a block', async () => {
			await openNewChat();
			await pastePng(chat.box, 'dot.png');
			await chat.frame.locator('.attachments').getByText('dot.png').waitFor();
			await chat.sendMessage('what is this');
			await chat.getReply('Echo').waitFor();
			await chat.messages.last().getByRole('img', { name: 'Image dot.png' }).waitFor();
			const [image] = service.received.at(-1)!.body.messages.at(-1).content;
			assert.deepEqual(image, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } });
		});

		it('refuses a file that is neither text nor an image, and says so', async () => {
			await chat.box.evaluate(box => {
				const transfer = new DataTransfer();
				transfer.items.add(new File([new Uint8Array([0, 255, 0, 255])], 'odd.bin'));
				box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
			});
			await chat.frame.locator('.notice', { hasText: "'odd.bin' can't be attached. Use text, an image" }).waitFor();
		});

		it('attaches a node with @ and a file with #', async () => {
			await chat.box.pressSequentially('/ex');
			await chat.frame.getByRole('option', { name: '/explain' }).click();
			assert.equal(await chat.box.inputValue(), '/explain ');
			await chat.box.fill('');
			await chat.box.pressSequentially('see @');
			await chat.frame.getByRole('option', { name: 'Problems' }).waitFor();
			await session.workbench.takeScreenshot('chat-context');
			await chat.frame.getByRole('option', { name: 'Nodes…' }).click();
			await chat.box.pressSequentially('rank');
			await chat.frame.getByRole('option', { name: /Rank the sentences summarize/ }).click();
			await chat.frame.locator('.attachments', { hasText: /agents\/summarize\.yml:\d+-\d+/ }).waitFor();
			await chat.box.pressSequentially('#summarize.yml');
			await chat.frame.getByRole('option', { name: /summarize\.yml/ }).waitFor();
			await chat.box.press('Enter');
			await chat.frame.locator('.attachments .chip').nth(1).waitFor();
			await chat.box.press('Enter');
			await chat.getReply('Echo').nth(1).waitFor();
			const blocks = service.received.at(-1)!.body.messages.at(-1).content;
			assert.match(blocks[0].text, /^agents\/summarize\.yml:\d+-\d+\n`{3,}yaml\n\s*- id: rank\n/);
			assert.match(blocks[1].text, /^agents\/summarize\.yml\n`{3,}yml\n/);
			assert.equal(blocks[2].text, 'see @Rank the sentences #summarize.yml ');
		});

		it('validates settings before sending', async () => {
			await chat.frame.getByRole('button', { name: 'Settings', exact: true }).click();
			const temperature = chat.frame.getByLabel('temperature', { exact: true });
			await temperature.fill('1.5');
			await temperature.press('Tab');
			await chat.frame.getByText("'temperature' isn't valid. Enter a number from 0 to 1.").waitFor();
			const before = service.received.length;
			await chat.sendMessage('with a wrong setting');
			await chat.getReply(/'temperature' isn't valid\. Enter a number from 0 to 1/).waitFor();
			assert.equal(service.received.length, before);
			await temperature.fill('0.5');
			await temperature.press('Tab');
			await chat.frame.getByText("'temperature' isn't valid").first().waitFor({ state: 'visible' });
			await chat.clickButton(chat.replies.last(), 'Retry');
			await chat.getReply('Echo: with a wrong setting').waitFor();
			assert.equal(service.received.at(-1)?.body.temperature, 0.5);
			await chat.frame.getByRole('button', { name: 'Settings', exact: true }).click();
		});

		it('shows buttons on code, and inserts the code at the cursor', async () => {
			const { workbench } = session;
			service.setHandler(request => streamReply(request, 'Use this:\n\n```ts\nconst answer = 42;\n```\n\nDone.'));
			await workbench.openFile('summarize.yml');
			await workbench.page.keyboard.press('Control+Home');
			await chat.sendMessage('code');
			const code = chat.replies.last().locator('.code');
			await code.locator('.hljs-keyword', { hasText: 'const' }).waitFor();
			await chat.waitForIdleChat();
			await code.getByRole('button', { name: 'Insert at cursor' }).click();
			await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'const answer = 42;' }).waitFor();
			await workbench.runCommand('File: Revert File');
			await code.getByRole('button', { name: 'New file' }).click();
			await workbench.page.locator('.tab.active', { hasText: /Untitled/ }).waitFor();
			await retryUntilPassing(async () => assert.equal((await workbench.readEditorText()).trim(), 'const answer = 42;'));
		});

		it('puts code where it belongs, to be accepted or discarded, and as one undo step', async () => {
			const { workbench } = session;
			const { page } = workbench;
			const lens = (name: string) => workbench.getCodeLens(name);
			service.setHandler(request => streamReply(request, 'Change this:\n\n```yaml\nmode: workflow # as before\n```'));
			await workbench.openFile('summarize.yml');
			await page.keyboard.press('Control+Home');
			const before = await workbench.readEditorText();
			const after = before.replace('mode: workflow', 'mode: workflow # as before');
			const expectText = (text: string) => retryUntilPassing(async () => assert.equal(await workbench.readEditorText(), text));
			await chat.sendMessage('change the mode');
			const code = chat.replies.last().locator('.code');
			await code.getByText('as before').waitFor();
			await chat.waitForIdleChat();
			const applyCode = () => code.getByRole('button', { name: 'Apply in editor' }).click();
			await applyCode();
			await lens('Discard').waitFor();
			await workbench.takeScreenshot('chat-apply');
			await lens('Discard').click();
			await lens('Discard').waitFor({ state: 'detached' });
			await expectText(before);
			await applyCode();
			await lens('Accept').click();
			await lens('Accept').waitFor({ state: 'detached' });
			await expectText(after);
			await page.keyboard.press('Control+z');
			await expectText(before);
		});

		it('asks where to insert code that matches nothing in the file', async () => {
			const { workbench } = session;
			service.setHandler(request => streamReply(request, 'Add this:\n\n```yaml\nsomething_new: 1\n```'));
			await workbench.openFile('summarize.yml');
			await chat.sendMessage('add something');
			const code = chat.replies.last().locator('.code');
			await code.getByText('something_new').waitFor();
			await chat.waitForIdleChat();
			await code.getByRole('button', { name: 'Apply in editor' }).click();
			await workbench.quickInput.pickOption('Replace file');
			await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'something_new: 1' }).waitFor();
			await workbench.runCommand('Agent Workbench Chat: Discard All Changes');
			await workbench.page.locator('.view-line', { hasText: 'something_new: 1' }).waitFor({ state: 'detached' });
		});
	});

	describe('when a request fails', () => {
		for (const [name, answer, sentence, button] of [
			[
				'a refusal without a key',
				r => sendError(r, 401, 'authentication_error', 'invalid x-api-key'),
				/'Fake' requires a key, but none is set/,
				'Set key',
			],
			[
				'too many requests',
				r => sendError(r, 429, 'rate_limit_error', 'slow down', { 'retry-after': '300' }),
				/slow down.*Try again in 300 s/s,
				'Retry',
			],
			['an overloaded service', r => sendError(r, 529, 'overloaded_error', 'Overloaded'), /Overloaded/i, 'Retry'],
			['an unknown model', r => sendError(r, 404, 'not_found_error', 'model: nope'), /nope/, 'Select model'],
			['a cut stream', r => streamReply(r, 'half of it', { cut: true }), /half of it.*(is incomplete|ended)/s, 'Retry'],
		] as const satisfies readonly (readonly [string, (r: Parameters<typeof streamReply>[0]) => unknown, RegExp, string])[]) {
			it(`shows a remedy after ${name}, and sends again`, async () => {
				await openNewChat();
				service.setHandler(async request => void (await answer(request)));
				await chat.sendMessage(`try ${name}`);
				await chat.getReply(sentence).waitFor();
				await chat.replies.last().locator('.problem').getByText(button, { exact: true }).waitFor();
				service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
				await chat.clickButton(chat.replies.last(), 'Retry');
				await chat.getReply(`Echo: try ${name}`).waitFor();
			});
		}

		it('counts down until it sends the message to a busy service again, or until the user does', async () => {
			await openNewChat();
			service.setHandler(request => sendError(request, 429, 'rate_limit_error', 'slow down', { 'retry-after': '60' }));
			await chat.sendMessage('try a busy service');
			const wait = chat.replies.last().locator('.retryWait');
			await wait.getByText(/Trying again in 5\d s\..*Retry 1 of 3/s).waitFor();
			await chat.frame.getByRole('status').filter({ hasText: 'Trying again in' }).waitFor();
			await session.workbench.takeScreenshotsInThemes('chat-retry');
			service.setHandler(request => sendError(request, 400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'));
			await wait.getByText('Try now').click();
			const problem = chat.replies.last().locator('.problem');
			await problem.getByText('prompt is too long').waitFor();
			assert.deepEqual(await problem.locator('vscode-button').allInnerTexts(), ['New chat', 'Summarize older messages', 'Select model']);
		});
	});

	describe('over time', () => {
		it('continues while its page is reloaded or hidden', async () => {
			const { workbench } = session;
			await openNewChat();
			let sender: ReturnType<typeof startStream> | undefined;
			service.setHandler(request => {
				sender = startStream(request);
				sender.text('one ');
			});
			await chat.sendMessage('a long one');
			await chat.getReply('one').waitFor();
			await chat.box.fill('a draft');
			const reloaded = workbench.page.waitForEvent('framedetached', frame => frame === chat.frame);
			await workbench.runCommand('Developer: Reload Webviews');
			sender!.text('two ');
			await reloaded;
			chat = await ChatPage.findChat(workbench, 'Chat');
			await chat.getReply('one two').waitFor();
			await retryUntilPassing(async () => assert.equal(await chat.box.inputValue(), 'a draft'));
			await workbench.showContainer('Explorer');
			sender!.text('three ');
			sender!.end();
			chat = await ChatPage.openChatInSideBar(workbench);
			await chat.getReply('one two three').waitFor();
			await chat.waitForIdleChat();
			await chat.box.fill('');
		});

		it('keeps two chats open at the same time', async () => {
			const { workbench } = session;
			await openNewChat();
			const senders: ReturnType<typeof startStream>[] = [];
			service.setHandler(request => {
				senders.push(startStream(request));
				senders.at(-1)!.text(`to ${request.text}: `);
			});
			await chat.sendMessage('left');
			await chat.getReply('to left').waitFor();
			await workbench.runCommand('Agent Workbench Chat: Open Chat in Editor');
			const tabs = workbench.page.locator('.tab[aria-label^="left"]');
			await tabs.and(workbench.page.locator('.active')).waitFor();
			await workbench.runCommand('Agent Workbench Chat: Open Chat in Editor');
			assert.equal(await tabs.count(), 1);
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			const findChatFrames = () =>
				workbench.page.frames().filter(f => f.parentFrame()?.parentFrame() === workbench.page.mainFrame() && f !== chat.frame);
			const editor = new ChatPage(findChatFrames().at(-1)!);
			await editor.waitForNewChat();
			await workbench.page.locator('.tab.active', { hasText: 'Chat' }).waitFor();
			await editor.sendMessage('right');
			await editor.getReply('to right').waitFor();
			senders[0]!.text('L');
			senders[1]!.text('R');
			await chat.getReply('to left: L').waitFor();
			await editor.getReply('to right: R').waitFor();
			for (const sender of senders) {
				sender.end();
			}
			await chat.waitForIdleChat();
			await editor.waitForIdleChat();
			await workbench.runCommand('View: Close Editor');
		});

		it('uses Completions with its prompt form', async () => {
			service.setHandler(request => streamReply(request, ` Echo: ${request.text}`));
			await chat.box.click();
			await openNewChat();
			await chat.selectEndpoint(session.workbench, 'Text completion');
			await chat.sendMessage('one');
			await chat.getReply('Echo: one').waitFor();
			await chat.waitForIdleChat();
			await chat.sendMessage('two');
			await chat.getReply('Echo: two').waitFor();
			assert.equal(service.received.at(-1)?.body.prompt, '\n\nHuman: one\n\nAssistant: Echo: one\n\nHuman: two\n\nAssistant:');
			await chat.waitForIdleChat();
			service.setHandler(request => startStream(request).text(' Half'));
			await chat.sendMessage('three');
			await chat.getReply('Half').waitFor();
			await chat.stop.click();
			await chat.getReply(/Half.*Stopped/s).waitFor();
			service.setHandler(request => streamReply(request, ' and half.'));
			await chat.replies.last().getByRole('button', { name: 'Continue' }).click();
			await chat.getReply('Half and half.').waitFor();
			await chat.waitForIdleChat();
			assert.match(service.received.at(-1)?.body.prompt, /\n\nHuman: three\n\nAssistant: Half$/);
		});

		it('uses Generate Content, and says why a prompt was blocked', async () => {
			service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
			await openNewChat();
			await chat.selectTarget(session.workbench, 'Content', 'fake-model');
			await chat.sendMessage('one');
			await chat.getReply('Echo: one').waitFor();
			await chat.waitForIdleChat();
			service.setHandler(({ response }) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.end(`data: ${JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } })}\n\n`);
			});
			await chat.sendMessage('two');
			await chat.getReply(/blocked this message.*safety settings of the service don't allow/).waitFor();
			assert.equal(service.received.at(-1)?.body.contents.length, 3);
			service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
			await chat.clickButton(chat.messages.last(), 'Edit');
			await chat.messages.last().locator('textarea').fill('two, kindly');
			await chat.messages.last().locator('textarea').press('Control+Enter');
			await chat.getReply('Echo: two, kindly').waitFor();
			await chat.waitForIdleChat();
			const { contents } = service.received.at(-1)!.body;
			assert.deepEqual(contents.at(-1), { role: 'user', parts: [{ text: 'two, kindly' }] });
			assert.equal(contents.length, 3);
			service.setHandler(request => startStream(request).text('Half'));
			await chat.clickButton(chat.replies.last(), 'Retry');
			await chat.getReply('Half').waitFor();
			await chat.stop.click();
			await chat.getReply(/Half.*Stopped/s).waitFor();
			service.setHandler(request => streamReply(request, 'The other half.'));
			await chat.replies.last().getByRole('button', { name: 'Continue' }).click();
			await chat.getReply('The other half.').waitFor();
			await chat.waitForIdleChat();
			const goesOn = service.received.at(-1)!.body.contents.slice(-2);
			assert.deepEqual(goesOn, [
				{ role: 'model', parts: [{ text: 'Half' }] },
				{ role: 'user', parts: [{ text: 'Continue' }] },
			]);
		});
	});

	describe('in an editor tab', () => {
		before(async () => {
			await openNewChat();
			await session.workbench.closeEditors();
		});
		testChatInEditor(session, services);
	});

	describe('later', () => {
		it('finds an older chat by its text and opens it', async () => {
			const { quickInput } = session.workbench;
			chat = await ChatPage.openChatInSideBar(session.workbench);
			await session.workbench.runCommand('Agent Workbench Chat: Show Chats…');
			await quickInput.box.fill('a long one');
			await quickInput.pickOption('a long one');
			await chat.getReply('one two three').waitFor();
		});

		it('is restored after a window reload, with the changes that it proposed in an unsaved file', async () => {
			const { workbench } = session;
			await workbench.page.locator('.tab', { hasText: 'one' }).click();
			const inEditor = await ChatPage.findChat(workbench, 'one');
			service.setHandler(request => startStream(request).text('half of '));
			await inEditor.box.fill('an endless one');
			await inEditor.box.press('Control+Enter');
			await inEditor.getReply('half of').waitFor();
			service.setHandler(request => streamReply(request, '```yaml\nmode: workflow # changed\n```'));
			await workbench.openFile('summarize.yml');
			await workbench.page.keyboard.press('Control+Home');
			const before = await workbench.readEditorText();
			await chat.sendMessage('change the mode');
			const code = chat.replies.last().locator('.code', { hasText: 'changed' });
			await code.waitFor();
			await chat.waitForIdleChat();
			await code.getByRole('button', { name: 'Apply in editor' }).click();
			await workbench.getCodeLens('Discard').waitFor();
			await workbench.reloadWindow();
			await workbench.page.locator('.editor-group-container.active .view-line', { hasText: '# changed' }).waitFor();
			await workbench.getCodeLens('Discard').click();
			await retryUntilPassing(async () => assert.equal(await workbench.readEditorText(), before));
			chat = await ChatPage.openChatInSideBar(workbench);
			await chat.getReply('one two three').waitFor();
		});

		it('is restored in an editor tab after a window reload during a reply, which can be continued', async () => {
			const { workbench } = session;
			await workbench.page.locator('.tab', { hasText: 'one' }).click();
			const inEditor = await ChatPage.findChat(workbench, 'one');
			await inEditor.getReply(/half of.*Interrupted because the window was closed/s).waitFor();
			await workbench.takeScreenshot('chat-interrupted');
			service.setHandler(request => {
				const sender = startStream(request);
				sender.text('it, and the rest.');
				sender.end();
			});
			await inEditor.replies.last().getByRole('button', { name: 'Continue' }).click();
			await inEditor.getReply('half of it, and the rest.').waitFor();
		});
	});
});
