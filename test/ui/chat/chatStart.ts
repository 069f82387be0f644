import type { Session } from '../driver/session.ts';
import { ChatPage } from './chatPage.ts';

/** Defines the first steps in the chat, for a window in which no chat was opened yet. */
export function testChatStart(session: Session): void {
	let chat: ChatPage;

	it('shows how to start', async () => {
		chat = await ChatPage.openChatInSideBar(session.workbench);
		await chat.frame.getByText('Ask about your code').waitFor();
	});

	it('uses the offline model of the built-in gateway without any setting', async () => {
		await chat.sendMessage('Hello there');
		await chat.getReply(/offline model.*Hello there/).waitFor();
		await chat.waitForIdleChat();
		await chat.frame.locator('.pick.model', { hasText: 'offline' }).waitFor();
	});

	it('runs an agent of the built-in gateway once per message', async () => {
		await session.workbench.runCommand('Agent Workbench Chat: New Chat');
		await chat.waitForNewChat();
		await chat.selectTarget(session.workbench, 'Built-in gateway', 'summarize');
		await chat.sendMessage('The first sentence is long. The second one is longer still. The third is short.');
		await chat.getReply(/Finished/).waitFor();
	});
}
