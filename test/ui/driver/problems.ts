import type { Locator, Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** The view *Problems*: diagnostics of all files. */
export class Problems {
	readonly #page: Page;
	readonly #quickInput: QuickInput;

	constructor(page: Page, quickInput: QuickInput) {
		this.#page = page;
		this.#quickInput = quickInput;
	}

	/** Opens the view. */
	async showProblems(): Promise<void> {
		await this.#quickInput.runCommand('View: Focus Problems');
		await this.#page.locator('.markers-panel').waitFor();
	}

	/** Returns the problem whose message contains this text; the view must be open. */
	getProblem(message: string): Locator {
		return this.#page
			.locator('.markers-panel .monaco-list-row')
			.filter({ has: this.#page.locator('.marker-message-details-container, .marker-message') })
			.filter({ hasText: message });
	}

	/** Returns messages with source and position, for example "Expected comma json 514 [Ln 3, Col 1]"; the view must be open. */
	async readMessages(): Promise<string[]> {
		const rows = this.#page
			.locator('.markers-panel .monaco-list-row')
			.filter({ has: this.#page.locator('.marker-message-details-container') });
		return (await rows.allInnerTexts()).map(text => text.replaceAll('\u00a0', ' ').replaceAll(/\s+/g, ' ').trim());
	}
}
