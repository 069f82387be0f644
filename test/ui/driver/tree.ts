import type { Locator, Page } from 'playwright-core';
import { getRepeatDelay, waitUntil } from '../../support/waitUntil.ts';
import { waitBriefly } from './eventually.ts';

/** A row of a tree as a user reads it. */
export interface Row {
	label: string;
	/** The dimmed text after the label; empty if there is none. */
	description: string;
	/** 1 for a root. */
	level: number;
	/** Undefined for a leaf. */
	expanded: boolean | undefined;
}

/** A tree in the side bar. Rows are found by their label and must be in view. */
export class Tree {
	readonly #page: Page;
	/** The element with role tree. */
	readonly root: Locator;

	/** @param view the title of the view, for example "Agents" */
	constructor(page: Page, view: string) {
		this.#page = page;
		this.root = page.locator('.part.sidebar').getByRole('tree', { name: view });
	}

	/** Returns the row with exactly this label. Its aria-label is the tooltip, so it can't be found by role and name. */
	getRow(label: string): Locator {
		return this.root.locator('.monaco-list-row').filter({ has: this.#page.locator('.label-name').getByText(label, { exact: true }) });
	}

	/** Returns all rows in view, from top to bottom. */
	async readRows(): Promise<Row[]> {
		return this.root.locator('.monaco-list-row').evaluateAll(rows =>
			rows
				.map(row => ({
					top: row.getBoundingClientRect().top,
					label: row.querySelector('.label-name')?.textContent ?? '',
					description: row.querySelector('.label-description')?.textContent ?? '',
					level: Number(row.getAttribute('aria-level')),
					expanded: row.hasAttribute('aria-expanded') ? row.getAttribute('aria-expanded') === 'true' : undefined,
				}))
				.sort((a, b) => a.top - b.top)
				.map(({ top: _, ...row }) => row),
		);
	}

	/** Expands the row with the first label, then the row with the second label under it, and so on. */
	async expandRows(...labels: string[]): Promise<void> {
		for (const label of labels) {
			const row = this.getRow(label).first();
			await row.waitFor();
			await this.expandWithGesture(label, () => row.locator('.monaco-tl-twistie').click());
		}
	}

	/** Repeats a gesture until the row is expanded, because VS Code drops an expansion while it refreshes the row's parent. */
	async expandWithGesture(label: string, gesture: () => Promise<void>): Promise<void> {
		const expanded = this.root
			.locator('.monaco-list-row[aria-expanded="true"]')
			.filter({ has: this.#page.locator('.label-name').getByText(label, { exact: true }) })
			.first();
		await waitUntil(`'${label}' to expand`, async tries => {
			if ((await expanded.count()) === 0) {
				await gesture();
			}
			return waitBriefly(expanded, getRepeatDelay(tries));
		});
	}

	/** Collapses the first row with this label. */
	async collapseRow(label: string): Promise<void> {
		const row = this.getRow(label).first();
		if ((await row.getAttribute('aria-expanded')) === 'true') {
			await row.locator('.monaco-tl-twistie').click();
		}
		await this.root
			.locator('.monaco-list-row[aria-expanded="false"]')
			.filter({ has: this.#page.locator('.label-name').getByText(label, { exact: true }) })
			.first()
			.waitFor();
	}

	/** Runs an inline action of a row by its title. The action is visible only while the row is hovered. */
	async runAction(label: string, title: string): Promise<void> {
		const row = this.getRow(label).first();
		await row.hover();
		await row.getByRole('button', { name: title }).click();
	}

	/** Chooses an entry of a row's context menu. */
	async chooseInContextMenu(label: string, entry: string): Promise<void> {
		const item = this.#page.getByRole('menuitem', { name: entry });
		// VS Code closes the menu of a row that is rendered again, for example because its state has arrived
		await waitUntil(`“${entry}” in the menu of '${label}'`, async tries => {
			await this.getRow(label).first().click({ button: 'right' });
			const isShown = await waitBriefly(item, getRepeatDelay(tries));
			if (!isShown) {
				await this.#page.keyboard.press('Escape');
			}
			return isShown;
		});
		// VS Code's menus ignore clicks in their first 100 ms; a menu that accepted one is closed
		await waitUntil(`a menu that took the click on “${entry}”`, async tries => {
			if (await item.isVisible()) {
				await item.click({ timeout: getRepeatDelay(tries) }).catch(() => undefined);
			}
			return waitBriefly(item, getRepeatDelay(tries), 'hidden');
		});
	}
}
