import type { Locator, Page } from 'playwright-core';
import { getRepeatDelay, waitUntil } from '../../support/waitUntil.ts';
import { waitBriefly } from './eventually.ts';

/** The box at the top of the window: command palette, quick picks, input boxes. */
export class QuickInput {
	readonly #page: Page;
	/** The whole widget, present while it is open. */
	readonly widget: Locator;
	/** Its text field. */
	readonly box: Locator;

	constructor(page: Page) {
		this.#page = page;
		this.widget = page.locator('.quick-input-widget:visible');
		this.box = this.widget.locator('.quick-input-box input');
	}

	/** Runs a command from the palette by its full title, with the category: "Agent Workbench: Run Agent from File". */
	async runCommand(title: string): Promise<void> {
		const row = this.widget
			.locator('.monaco-list-row')
			.filter({ has: this.#getRowLabel(title) })
			.first();
		// a command enabled while the palette is open isn't listed until the palette is opened again, and a page that takes the focus meanwhile
		// closes it
		await waitUntil(
			`the command “${title}” in the palette`,
			async tries => {
				await this.#closeWidget();
				await this.#page.keyboard.press('F1');
				return (await this.#isRowListed(`>${title}`, row, getRepeatDelay(tries))) && (await tryClickRow(row, getRepeatDelay(tries)));
			},
			90_000,
		);
	}

	/** Returns an option of a quick pick by the beginning of its label. */
	getOption(name: string): Locator {
		return this.widget.getByRole('option', { name });
	}

	/** Returns the labels of all visible options. */
	async readOptions(): Promise<string[]> {
		await this.widget.getByRole('option').first().waitFor();
		return this.widget.locator('.monaco-list-row .label-name').allInnerTexts();
	}

	/** Chooses an option of a quick pick. */
	async pickOption(name: string): Promise<void> {
		await this.getOption(name).first().click();
	}

	/** Chooses the option with exactly this label, even if other labels begin with it. Returns false if it isn't listed in time. */
	async pickExactOption(label: string, timeout?: number): Promise<boolean> {
		const row = this.widget
			.locator('.monaco-list-row')
			.filter({ has: this.#getRowLabel(label) })
			.first();
		return timeout === undefined ? row.click().then(() => true) : tryClickRow(row, timeout);
	}

	/** Types into an input box and presses Enter. */
	async enterText(text: string): Promise<void> {
		await this.box.fill(text);
		await this.pressKey('Enter');
	}

	/** Presses a key in the box, because a page that has just loaded may have taken the focus and would get the key. */
	async pressKey(key: string): Promise<void> {
		await this.box.press(key);
	}

	/** Returns the validation message of an input box. */
	getMessage(text: string): Locator {
		return this.widget.locator('.quick-input-message').filter({ hasText: text });
	}

	/** Opens a workspace file in a text editor by its name and focuses it. */
	async openFile(name: string): Promise<void> {
		const row = this.widget
			.locator('.monaco-list-row')
			.filter({ has: this.#getRowLabel(name) })
			.first();
		const editor = this.#page.locator(`.editor-group-container.active .monaco-editor.focused[data-uri$="/${name}"]`);
		// the list can close, or be rendered again, during a click
		await waitUntil(
			`an editor of ${name}`,
			async tries => {
				await this.#closeWidget();
				await this.#page.keyboard.press('Control+P');
				if (!(await this.#isRowListed(name, row, getRepeatDelay(tries)))) {
					return false;
				}
				return (await tryClickRow(row, getRepeatDelay(tries))) && waitBriefly(editor, 2 * getRepeatDelay(tries));
			},
			90_000,
		);
	}

	async #closeWidget(): Promise<void> {
		await waitUntil('the quick input to close', async tries => {
			const timeout = getRepeatDelay(tries);
			if (await this.widget.isVisible()) {
				// the widget may close before the key arrives, and on a busy machine the key may not arrive in time
				await this.box.press('Escape', { timeout }).catch(() => {});
			}
			return waitBriefly(this.widget, timeout, 'hidden');
		});
	}

	#getRowLabel(text: string): Locator {
		return this.#page.locator('.label-name').getByText(text, { exact: true });
	}

	/** True if a row with this text appears within `timeout` milliseconds. */
	async #isRowListed(text: string, row: Locator, timeout: number): Promise<boolean> {
		try {
			await this.box.fill(text, { timeout });
			await row.waitFor({ timeout });
			return true;
		} catch {
			return false;
		}
	}
}

/** Clicks a row; returns false if the row disappears or moves first. */
function tryClickRow(row: Locator, timeout: number): Promise<boolean> {
	return row.click({ timeout }).then(
		() => true,
		() => false,
	);
}
