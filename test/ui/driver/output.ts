import type { Locator, Page } from 'playwright-core';
import { outputChannelText } from '../../../scripts/lib/outputChannel.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { QuickInput } from './quickInput.ts';

/** Output channels, as they are shown and as a whole. */
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

	/** The lines of the shown channel that are in view; an element a line. */
	get lines(): Locator {
		return this.#page.locator('.part.panel .output-view .view-line, .part.panel [id="workbench.panel.output"] .view-line');
	}

	/** Shows a channel in the panel. */
	async show(channel: string): Promise<void> {
		await this.#quickInput.runCommand('Output: Show Output Channels...');
		await this.#quickInput.pickExactly(channel);
		await this.#page.locator('.part.panel .output-view, .part.panel [id="workbench.panel.output"]').first().waitFor();
	}

	/** The text in view of the shown channel. */
	async shown(): Promise<string> {
		await this.lines.first().waitFor();
		return (await this.lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
	}

	/** All that a channel of the extension holds; empty while it has none. */
	text(channel: string): string {
		return outputChannelText(this.#logs, channel);
	}

	/** Waits until a channel holds a match, and gives it. */
	async until(channel: string, pattern: RegExp, limit?: number): Promise<RegExpExecArray> {
		return waitUntil(`${pattern} in the output channel “${channel}”`, () => pattern.exec(this.text(channel)), limit);
	}
}
