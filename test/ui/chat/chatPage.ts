import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from '../driver/workbench.ts';

/** A chat panel and the actions of its user. */
export class ChatPage {
	readonly frame: Frame;

	constructor(frame: Frame) {
		this.frame = frame;
	}

	/** Opens the chat in the side bar and waits until it is ready. */
	static async openChatInSideBar(workbench: Workbench): Promise<ChatPage> {
		await workbench.runCommand('Agent Workbench: Focus on Chat View');
		const page = await ChatPage.findChat(workbench, 'Chat');
		// the command focuses the page after it has loaded, which would close a quick pick opened meanwhile
		await page.frame.waitForFunction(() => document.hasFocus());
		await page.box.click();
		return page;
	}

	/** Finds the chat in the webview with this title. */
	static async findChat(workbench: Workbench, title: string): Promise<ChatPage> {
		for (;;) {
			const page = new ChatPage(await workbench.findWebview(title));
			try {
				await page.box.waitFor();
				return page;
			} catch (error) {
				// a page that is reloaded or shown again is another frame
				if (!page.frame.isDetached()) {
					throw error;
				}
			}
		}
	}

	get box(): Locator {
		return this.frame.locator('chat-composer textarea');
	}

	get send(): Locator {
		return this.frame.locator('vscode-toolbar-button.send');
	}

	get stop(): Locator {
		return this.frame.locator('vscode-toolbar-button.stop');
	}

	/** Replies, oldest first. */
	get replies(): Locator {
		return this.frame.locator('chat-turn .assistant');
	}

	/** Messages of the user, oldest first. */
	get messages(): Locator {
		return this.frame.locator('chat-turn .user');
	}

	/** Finds a reply by its text. */
	getReply(text: string | RegExp): Locator {
		return this.replies.filter({ hasText: text });
	}

	/** Waits until the page shows a new, empty chat and has the focus, which would close an input box opened before. */
	async waitForNewChat(): Promise<void> {
		await this.frame.locator('.turnList > .empty').waitFor();
		await this.frame.locator('chat-composer textarea:focus').waitFor();
	}

	/** Sends a message by keyboard. */
	async sendMessage(text: string): Promise<void> {
		await this.box.fill(text);
		await this.box.press('Enter');
	}

	/** Clicks a button of a turn by its label, after hovering over the turn. */
	async clickButton(turn: Locator, label: string): Promise<void> {
		await turn.hover();
		await turn.getByRole('button', { name: label, exact: true }).click();
	}

	/** Selects the connection, endpoint or model by name, with the chat's buttons. */
	async selectTarget(workbench: Workbench, what: 'connection' | 'endpoint' | 'model', name: string): Promise<void> {
		await this.frame.locator(`.pick.${what}`).click();
		await workbench.quickInput.pickOption(name);
		await this.frame.locator(`.pick.${what}`, { hasText: name }).waitFor();
	}

	/** Waits until no reply is streaming. */
	async waitForIdleChat(): Promise<void> {
		await this.send.waitFor();
	}
}
