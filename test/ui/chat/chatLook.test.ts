import assert from 'node:assert/strict';
import { xssPayloads } from '../../fixtures/xss.ts';
import { axeFindings } from '../driver/axe.ts';
import { useWorkbench } from '../driver/session.ts';
import { type Theme, themes } from '../driver/themes.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, startFakeService, stream } from './fakeService.ts';
import { pastePng } from './pngFiles.ts';

const reply = [
	'## What it does',
	'It groups the rows by `key`, then **sums** them. See [the docs](https://docs.example/group) and ![a chart](https://img.example/chart.png).',
	'```ts\n// groups rows\nexport function group(rows: Row[]): Map<string, number> {\n\treturn new Map(rows.map(r => [r.key, 42]));\n}\n```',
	'| step | cost |\n|---|--:|\n| read | 1 ms |\n| group, which is the long one | 20 ms |',
	'- [x] read\n- [ ] write',
	'> quoted words',
].join('\n\n');

describe('how the chat looks', () => {
	let service: FakeService;
	const settings: Record<string, unknown> = {};
	before(async () => {
		service = await startFakeService();
		service.answer(request => stream(request, reply));
		settings['agentWorkbench.connections'] = [{ id: 'fake', name: 'Fake', kind: 'anthropic-compatible', baseUrl: service.url }];
	});
	after(() => service?.close());
	const session = useWorkbench({ settings });
	let chat: ChatPage;

	it('shows a reply with everything that Markdown has', async () => {
		const { workbench } = session;
		chat = await ChatPage.inView(workbench);
		await workbench.page.locator('.pane-header', { hasText: 'Agents' }).click();
		await workbench.page.locator('.pane-header[aria-expanded="false"]', { hasText: 'Agents' }).waitFor();
		await chat.box.click();
		await chat.frame.locator('.pick.connection').click();
		await workbench.quickInput.pick('Fake');
		await chat.frame.locator('.pick.connection', { hasText: 'Fake' }).waitFor();
		await chat.frame.locator('.pick.model').click();
		await workbench.quickInput.pick('fake-model');
		await chat.say('Explain this function');
		await chat.reply('quoted words').waitFor();
		await chat.idle();
		await chat.frame.locator('.hljs-keyword').first().waitFor();
	});

	for (const theme of Object.keys(themes) as Theme[]) {
		it(`has no serious finding of axe, ${theme}`, async () => {
			const { workbench } = session;
			await workbench.useTheme(theme);
			await chat.frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.screenshot(`chat-${theme}`);
			assert.deepEqual(await axeFindings(chat.frame, 'sideBar-background'), []);
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
			await chat.frame.getByLabel('temperature', { exact: true }).waitFor();
			await workbench.screenshot(`chat-settings-${theme}`);
			assert.deepEqual(await axeFindings(chat.frame, 'sideBar-background'), []);
			await chat.frame.getByRole('button', { name: 'Settings' }).click();
		});
	}

	it('reaches everything with the keyboard', async () => {
		await session.workbench.useTheme('dark');
		await chat.box.focus();
		const seen: string[] = [];
		for (let i = 0; i < 60; i++) {
			await chat.box.page().keyboard.press('Shift+Tab');
			const name = await chat.frame.evaluate(() => {
				const element = document.activeElement;
				return element?.getAttribute('aria-label') ?? element?.getAttribute('label') ?? element?.textContent ?? '';
			});
			seen.push(name);
			if (/^Endpoint/.test(name)) {
				break;
			}
		}
		for (const wanted of [
			'Retry',
			'Copy',
			'Insert at cursor',
			'Edit',
			'Settings',
			'Conversation',
			'Model: fake-model',
			'Endpoint: Messages',
		]) {
			assert.ok(seen.includes(wanted), `${wanted} in ${seen.join(' | ')}`);
		}
	});

	it('announces the end of a reply once, politely', async () => {
		assert.equal(await chat.frame.locator('[aria-live]').count(), 1);
		assert.equal(await chat.frame.locator('[aria-live="polite"]').textContent(), 'The reply is complete.');
	});

	it('loads no image before it is clicked', async () => {
		const requests: string[] = [];
		session.workbench.page.on('request', request => requests.push(request.url()));
		await chat.frame.getByRole('button', { name: /Load image from img\.example/ }).click();
		await chat.frame.getByText(/The image could not be loaded/).waitFor();
		assert.deepEqual(
			requests.filter(url => url.includes('img.example')),
			[],
		);
	});

	it('runs and loads nothing of a hostile reply', async () => {
		const { page } = session.workbench;
		const requests: string[] = [];
		page.on('request', request => requests.push(request.url()));
		service.answer(request => stream(request, `${xssPayloads.join('\n\n---\n\n')}\n\nthe end of it`));
		await chat.say('attack');
		await chat.reply('the end of it').waitFor();
		await chat.idle();
		await chat.frame.locator('.turns').press('Home');
		const pwned = await Promise.all(page.frames().map(frame => frame.evaluate(() => 'pwned' in window).catch(() => false)));
		assert.ok(!pwned.includes(true));
		assert.deepEqual(
			requests.filter(url => url.includes('evil.example')),
			[],
		);
	});

	it('reads from right to left where the text does', async () => {
		service.answer(request => stream(request, 'שלום עולם, זה הסבר.'));
		await chat.say('مرحبا');
		const block = chat.replies.last().locator('.block', { hasText: 'שלום' });
		await block.waitFor();
		assert.equal(await block.evaluate(element => getComputedStyle(element).direction), 'rtl');
		assert.equal(
			await chat.messages
				.last()
				.locator('.plain')
				.evaluate(element => getComputedStyle(element).direction),
			'rtl',
		);
		await session.workbench.screenshot('chat-rtl');
	});

	it('fits into 300 pixels', async () => {
		const overflow = await chat.frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
		assert.equal(overflow, 0);
		assert.ok((await chat.frame.evaluate(() => window.innerWidth)) <= 300);
	});

	it('says how a cut reply goes on, and that an image has nowhere to go, in every theme', async () => {
		const { workbench } = session;
		service.answer(request => stream(request, 'Half of what I wanted', { cut: true }));
		await chat.say('tell me');
		await chat.replies.last().getByRole('button', { name: 'Continue' }).waitFor();
		await chat.pick(workbench, 'endpoint', 'Completions');
		await pastePng(chat.box, 'dot.png');
		await chat.frame.locator('.composer .note', { hasText: 'Completions takes text alone.' }).waitFor();
		for (const theme of Object.keys(themes) as Theme[]) {
			await workbench.useTheme(theme);
			await chat.frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
			await workbench.screenshot(`chat-cut-${theme}`);
			assert.deepEqual(await axeFindings(chat.frame, 'sideBar-background'), []);
		}
	});
});
