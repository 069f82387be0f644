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

	/** Selects a model or agent of a connection with the chat's button. */
	async selectTarget(workbench: Workbench, connection: string, name: string): Promise<void> {
		await this.frame.locator('.pick.model').click();
		await this.#pickTarget(workbench, connection, name);
	}

	/** Lets a model or agent of a connection reply beside the last reply. */
	async retryWithTarget(workbench: Workbench, connection: string, name: string): Promise<void> {
		await this.clickButton(this.replies.last(), 'Retry with another model…');
		await this.#clickTarget(workbench, connection, name);
	}

	/** Enters the missing key of a connection in the list of models, and selects one. */
	async selectTargetWithKey(workbench: Workbench, connection: string, key: string, name: string): Promise<void> {
		const { quickInput } = workbench;
		await this.frame.locator('.pick.model').click();
		await this.#searchTargets(workbench, connection);
		await quickInput.getOption('Set key').filter({ hasText: connection }).click();
		await quickInput.widget.locator('input[type="password"]').waitFor();
		await quickInput.enterText(key);
		await this.#pickTarget(workbench, connection, name);
	}

	/**
	 * Searches the list of models and agents, and waits until it is loaded, because a row that moves can't be clicked. Without a search, its
	 * last rows would be in view only until it is loaded.
	 */
	async #searchTargets({ quickInput }: Workbench, text: string): Promise<void> {
		await quickInput.widget.getByPlaceholder('Search models, agents and connections').fill(text);
		await quickInput.getOption('Add connection').waitFor();
		await quickInput.widget.locator('.monaco-progress-container.active').waitFor({ state: 'detached' });
	}

	async #clickTarget(workbench: Workbench, connection: string, name: string): Promise<void> {
		await this.#searchTargets(workbench, name);
		// a regular expression, because a string would match letters of either case in the name
		const option = workbench.quickInput.getOption(name).filter({ hasText: new RegExp(connection) });
		await option.first().click();
	}

	async #pickTarget(workbench: Workbench, connection: string, name: string): Promise<void> {
		await this.#clickTarget(workbench, connection, name);
		await this.frame.locator('.pick.model', { hasText: name }).filter({ hasText: connection }).waitFor();
	}

	/** Selects an endpoint in the settings. */
	async selectEndpoint(workbench: Workbench, name: string): Promise<void> {
		const settings = this.frame.getByRole('button', { name: 'Settings' });
		await settings.click();
		await this.frame.locator('.pick.endpoint').click();
		await workbench.quickInput.pickOption(name);
		await this.frame.locator('.pick.endpoint', { hasText: name }).waitFor();
		await settings.click();
	}

	/** Waits until no reply is streaming. */
	async waitForIdleChat(): Promise<void> {
		await this.send.waitFor();
	}
}
