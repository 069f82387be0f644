import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import { useWorkbench } from '../driver/session.ts';
import { ChatPage } from './chatPage.ts';
import { pastePng } from './pngFiles.ts';

/** A chat flow that answers with the question. */
const chatFlow = path.join(root, 'test/fixtures/dsl/j01-assign-query.yml');

describe('the chat and agents', () => {
	const session = useWorkbench();
	let chat: ChatPage;

	async function pickAgent(name: string): Promise<void> {
		const { quickInput } = session.workbench;
		await chat.frame.locator('.pick.model').click();
		await quickInput.widget.waitFor();
		await quickInput.box.fill(name);
		await quickInput.pick(name);
		await chat.frame.locator('.pick.model', { hasText: name }).waitFor();
	}

	it('takes a run along that the tree shows', async () => {
		const { workbench } = session;
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.tree('Agents');
		await agents.expand('Built-in gateway', 'summarize', 'Inputs');
		await agents.expand('Runs');
		await agents.action('annual-report.run.json', 'Run');
		// the run's end renders all of its agent again, and a menu opened meanwhile would hold a row that is no more
		await agents.root.locator('.monaco-list-row', { hasText: 'annual-report.run.json' }).filter({ hasText: '✔' }).waitFor();
		await agents.row('annual-report').first().waitFor();
		await agents.row('annual-report').first().click({ button: 'right' });
		// a click right after the menu opened is taken for the end of the click that opened it
		await workbench.page.getByRole('menuitem', { name: 'Ask About This Run' }).hover();
		await workbench.page.keyboard.press('Enter');
		chat = await ChatPage.of(workbench, 'Chat');
		await chat.frame.locator('.attachments', { hasText: 'Run of summarize' }).waitFor();
		await chat.say('why');
		await chat.reply(/offline model/).waitFor();
		await chat.messages.last().getByText('Run of summarize').waitFor();
	});

	it('converses with a chat flow, whose service keeps the conversation, and goes on with it', async () => {
		const { workbench } = session;
		const { quickInput } = workbench;
		fs.copyFileSync(chatFlow, path.join(workbench.folder, 'agents/answers.yml'));
		await workbench.runCommand('Agent Workbench: New Chat');
		await chat.fresh();
		await chat.frame.locator('.pick.endpoint').click();
		await quickInput.pick('Agent');
		await chat.frame.locator('.pick.endpoint', { hasText: 'Agent' }).waitFor();
		await pickAgent('answers');
		await chat.say('first question');
		await chat.reply(/first question.*finished/s).waitFor();
		await workbench.screenshot('chat-agent');
		await chat.say('second question');
		await chat.reply('second question').waitFor();
		await chat.idle();
		await workbench.runCommand('Agent Workbench: Delete Chat…');
		await workbench.dialog('Delete').getByRole('button', { name: 'Delete' }).click();
		await chat.frame.locator('.turnList > .empty').waitFor();
		await workbench.runCommand('Agent Workbench: Show Chats…');
		await quickInput.widget.getByText('Conversations of answers').waitFor();
		const options = await quickInput.options();
		await quickInput.pick(options.at(-1)!);
		await chat.reply('second question').waitFor();
		assert.equal(await chat.replies.count(), 2);
		await chat.say('third question');
		await chat.reply('third question').waitFor();
	});

	it('keeps a message with an image that its agent does not take, and says so before', async () => {
		const { workbench } = session;
		const sent = await chat.messages.count();
		await pastePng(chat.box, 'dot.png');
		await chat.frame.locator('.composer .note', { hasText: '"answers" takes no images.' }).waitFor();
		await workbench.screenshot('chat-agent-refuses-image');
		await chat.say('what is this');
		await chat.frame.locator('.notice', { hasText: '"answers" takes no images.' }).waitFor();
		assert.equal(await chat.box.inputValue(), 'what is this');
		assert.equal(await chat.messages.count(), sent);
	});

	it('sends an image to an agent that takes some', async () => {
		const { workbench } = session;
		const flow = fs.readFileSync(chatFlow, 'utf8');
		const takesImages = 'file_upload:\n      allowed_file_types: [image]\n      number_limits: 2\n      enabled: true';
		const shows = flow
			.replace(/file_upload:\n\s+enabled: false/, takesImages)
			.replace("'{{#conversation.str#}}'", "'{{#conversation.str#}}, with {{#sys.files#}}'");
		fs.writeFileSync(path.join(workbench.folder, 'agents/sees.yml'), shows);
		await pickAgent('sees');
		await chat.frame.locator('.composer .note').waitFor({ state: 'detached' });
		await chat.box.press('Enter');
		await chat.reply(/what is this, with .*dot\.png/s).waitFor();
		await chat.messages.last().getByRole('img', { name: 'Image dot.png' }).waitFor();
	});
});
