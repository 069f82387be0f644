import type { Locator, Page } from 'playwright-core';
import { readOutputChannel } from '../../../scripts/lib/outputChannel.ts';
import { getRepeatDelay, waitUntil } from '../../support/waitUntil.ts';
import type { QuickInput } from './quickInput.ts';

/** Output channels: their visible and their whole text. */
export class Output {
	readonly #page: Page;
	readonly #quickInput: QuickInput;
	readonly #logs: string;

	/** @param logs the folder of the server's log files */
	constructor(page: Page, quickInput: QuickInput, logs: string) {
		this.#page = page;
		this.#quickInput = quickInput;
		this.#logs = logs;
	}

	/** Visible lines of the open channel, one element per line. */
	get lines(): Locator {
		return this.#page.locator('.part.panel .output-view .view-line, .part.panel [id="workbench.panel.output"] .view-line');
	}

	/** Opens a channel in the panel. */
	async showChannel(channel: string): Promise<void> {
		// a view that takes the focus closes the list
		await waitUntil(`the channel “${channel}” in the list`, async tries => {
			await this.#quickInput.runCommand('Output: Show Output Channels...');
			return this.#quickInput.pickExactOption(channel, getRepeatDelay(tries));
		});
		await this.#page.locator('.part.panel .output-view, .part.panel [id="workbench.panel.output"]').first().waitFor();
	}

	/** Returns the visible text of the open channel. */
	async readVisibleText(): Promise<string> {
		await this.lines.first().waitFor();
		return (await this.lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
	}

	/** Returns the whole text of an extension's channel; empty if it has no text yet. */
	readChannel(channel: string): string {
		return readOutputChannel(this.#logs, channel);
	}

	/** Waits until a channel's text matches, and returns the match. */
	async waitForText(channel: string, pattern: RegExp, limit?: number): Promise<RegExpExecArray> {
		return waitUntil(`${pattern} in the output channel “${channel}”`, () => pattern.exec(this.readChannel(channel)), limit);
	}
}
