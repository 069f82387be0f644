import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from '../driver/workbench.ts';

/** What a user does in a chat panel. */
export class ChatPage {
	readonly frame: Frame;

	constructor(frame: Frame) {
		this.frame = frame;
	}

	/** The chat in the side bar, shown and ready. */
	static async inView(workbench: Workbench): Promise<ChatPage> {
		await workbench.runCommand('Agent Workbench: Focus on Chat View');
		const page = await ChatPage.of(workbench, 'Chat');
		// the command gives the page the focus when it has loaded, which would close a pick that is opened meanwhile
		await page.frame.waitForFunction(() => document.hasFocus());
		await page.box.click();
		return page;
	}

	/** The chat in a webview with this title. */
	static async of(workbench: Workbench, title: string): Promise<ChatPage> {
		for (;;) {
			const page = new ChatPage(await workbench.webview(title));
			try {
				await page.box.waitFor();
				return page;
			} catch (error) {
				// a page that is reloaded, or comes back into sight, is another frame
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

	/** A reply with this text in it. */
	reply(text: string | RegExp): Locator {
		return this.replies.filter({ hasText: text });
	}

	/** Waits until the page shows a new, empty chat and has the focus: a box of the window that opens before would be closed by it. */
	async fresh(): Promise<void> {
		await this.frame.locator('.turnList > .empty').waitFor();
		await this.frame.locator('chat-composer textarea:focus').waitFor();
	}

	/** Sends a message with the keyboard. */
	async say(text: string): Promise<void> {
		await this.box.fill(text);
		await this.box.press('Enter');
	}

	/** A button of a turn, by its label; the turn is pointed at first, as a user would. */
	async press(turn: Locator, label: string): Promise<void> {
		await turn.hover();
		await turn.getByRole('button', { name: label, exact: true }).click();
	}

	/** Picks the connection, endpoint or model by name, with the chat's own buttons. */
	async pick(workbench: Workbench, what: 'connection' | 'endpoint' | 'model', name: string): Promise<void> {
		await this.frame.locator(`.pick.${what}`).click();
		await workbench.quickInput.pick(name);
		await this.frame.locator(`.pick.${what}`, { hasText: name }).waitFor();
	}

	/** Waits until no reply is coming. */
	async idle(): Promise<void> {
		await this.send.waitFor();
	}
}
