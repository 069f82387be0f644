import type { Locator } from 'playwright-core';
import { waitUntil } from '../support/waitUntil.ts';
import type { Workbench } from '../ui/driver/workbench.ts';

/** VS Code's chat in the secondary side bar. */
export class ChatView {
	readonly #workbench: Workbench;
	readonly #view: Locator;

	constructor(workbench: Workbench) {
		this.#workbench = workbench;
		this.#view = workbench.page.locator('.part.auxiliarybar .interactive-session');
	}

	/** Enables the chat, as a user does on the page of models, and waits until it can answer. */
	async enableChat(): Promise<void> {
		await this.#waitForStatus('to be reloaded');
		await this.#workbench.reloadWindow();
		await this.#waitForStatus('ready');
	}

	/** Starts a conversation in ask or agent mode; permissions of earlier conversations don't apply to it. */
	async startConversation(mode: 'Ask' | 'Agent'): Promise<void> {
		// the palette's command would open an editor
		await this.#workbench.page
			.locator('.part.auxiliarybar .title')
			.getByRole('button', { name: /^New (Chat|Session)/ })
			.first()
			.click();
		await this.#view.locator('.interactive-request').first().waitFor({ state: 'hidden' });
		await this.#workbench.runCommand(`Chat: Open Chat (${mode})`);
		await this.#view.getByRole('button', { name: new RegExp(`\\b${mode}\\b`) }).waitFor();
	}

	/** Returns the button that shows the chosen model, by the model's name. */
	getModelButton(name: string): Locator {
		return this.#view.getByRole('button', { name: `Models, ${name}` });
	}

	/** Opens and closes the list of models, and returns its entries. */
	async readModels(name: string): Promise<string> {
		await this.getModelButton(name).locator('.chat-input-picker-label').click();
		const list = this.#workbench.page.locator('.action-widget');
		await list.getByText(name).first().waitFor();
		const text = await list.first().innerText();
		await this.#workbench.takeScreenshot('vscode-chat-picker');
		await this.#workbench.page.keyboard.press('Escape');
		await list.first().waitFor({ state: 'hidden' });
		return text;
	}

	async sendMessage(text: string): Promise<void> {
		const input = this.#view.locator('.interactive-input-part .monaco-editor').first();
		await waitUntil(`the message “${text}” in the chat`, async () => {
			await input.click();
			await this.#workbench.page.keyboard.press('Control+A');
			await this.#workbench.page.keyboard.type(text);
			return (await input.innerText()).replaceAll('\u00a0', ' ').includes(text);
		});
		await this.#workbench.page.keyboard.press('Enter');
		await this.#view.locator('.interactive-request', { hasText: text }).waitFor();
	}

	/** The last reply, including its cards. */
	get reply(): Locator {
		return this.#view.locator('.interactive-response').last();
	}

	/** Returns the card that asks whether a tool may run. The card is shown over the input, and hidden in the reply. */
	getCard(title: string): Locator {
		return this.#view.locator('.chat-confirmation-widget-container:visible').filter({ hasText: title }).first();
	}

	/** Allows the tool of the card with this title. */
	async allowTool(title: string): Promise<void> {
		await this.getCard(title).waitFor();
		await this.#view
			.getByRole('button', { name: /^Allow/ })
			.first()
			.click();
	}

	async #waitForStatus(text: string): Promise<void> {
		const status = this.#workbench.page.locator('.part.statusbar').getByText('Chat: ');
		const seen = await waitUntil(
			`the chat's status “${text}”`,
			async () => /failed.*|to be reloaded|ready/.exec((await status.first().isVisible()) ? await status.first().innerText() : '')?.[0],
			180_000,
		);
		if (seen !== text) {
			throw new Error(`the status of VS Code's chat is '${seen}' instead of '${text}'`);
		}
	}
}
