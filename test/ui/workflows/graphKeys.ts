import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { waitBriefly } from '../driver/eventually.ts';

/** More tab stops than any form has. */
const mostStops = 150;

/** Actions of a user on the canvas of an agent and in its forms, by keyboard only. Long texts are inserted at once, like a paste. */
export class GraphKeys {
	readonly #page: Page;
	readonly #frame: Frame;

	constructor(page: Page, frame: Frame) {
		this.#page = page;
		this.#frame = frame;
	}

	get form(): Locator {
		return this.#frame.getByRole('form');
	}

	/** Returns a group of fields in the form. */
	getFieldGroup(name: string): Locator {
		return this.form.getByRole('group', { name: new RegExp(`^${name}( required)?$`) });
	}

	/** Returns an item of a list in the form. */
	getListItem(name: string): Locator {
		return this.form.getByRole('group', { name, exact: true }).and(this.form.locator('.item'));
	}

	getFormField(label: string, of: Locator = this.form): Locator {
		return of.getByLabel(new RegExp(`^\\s*${label}( required)?\\s*$`)).first();
	}

	/** Returns the focus to the canvas. */
	async focusCanvas(): Promise<void> {
		await waitUntil('the canvas', async () => {
			if (await this.#frame.locator('.canvas:focus').count()) {
				return true;
			}
			await this.pressKey('Escape');
			return false;
		});
	}

	/** Selects a node by searching for it. */
	async selectNode(id: string): Promise<void> {
		await this.focusCanvas();
		await this.pressKey('Control+f');
		await this.#frame.getByRole('searchbox').and(this.#frame.locator(':focus')).waitFor();
		await this.pressKey('Control+a');
		await this.#page.keyboard.insertText(id);
		const selected = this.#frame.locator(`.node.selected[data-node="${id}"]`);
		await waitUntil(`the node ${id}`, async () => {
			if (await selected.count()) {
				return true;
			}
			await this.pressKey('Enter');
			return waitBriefly(selected, 500);
		});
		await this.pressKey('Escape');
		await this.#frame.locator('.canvas:focus').waitFor();
	}

	/** Presses Tab until an element has the focus. */
	async focusElementByTab(target: Locator): Promise<void> {
		await target.waitFor();
		for (let stops = 0; stops < mostStops; stops++) {
			if (await target.evaluate(element => element === document.activeElement)) {
				return;
			}
			await this.pressKey('Tab');
		}
		assert.fail(`Tab does not lead to ${target}`);
	}

	/** Replaces the text of a field. */
	async fillField(target: Locator, text: string): Promise<void> {
		await this.focusElementByTab(target);
		await this.pressKey('Control+a');
		await this.#page.keyboard.insertText(text);
	}

	/** Chooses a value in a field, or types it if the field doesn't offer it. */
	async chooseValue(target: Locator, value: string): Promise<void> {
		await this.focusElementByTab(target);
		if ((await target.evaluate(({ tagName }) => tagName)) === 'SELECT') {
			await this.pressKey('Home');
			await waitUntil(`the option ${value}`, async () => {
				const now = await target.inputValue();
				if (now !== value) {
					await this.pressKey('ArrowDown');
				}
				return now === value;
			});
			return;
		}
		await this.pressKey('Control+a');
		await this.#page.keyboard.insertText(value);
		const choices = this.#frame.locator('.choices .choice');
		await this.#frame.locator('.choices').waitFor();
		const titles = await choices.evaluateAll(all => all.map(choice => choice.getAttribute('title')));
		for (let at = titles.indexOf(value); at > 0; at--) {
			await this.pressKey('ArrowDown');
		}
		await this.pressKey('Enter');
		await this.#frame.locator('.choices').waitFor({ state: 'detached' });
	}

	/** Checks or unchecks a box. */
	async setCheckbox(target: Locator, checked: boolean): Promise<void> {
		await this.focusElementByTab(target);
		if ((await target.isChecked()) !== checked) {
			await this.pressKey('Space');
		}
	}

	/** Adds an item to a list and waits for its focus. */
	async addListItem(button: string, item: string): Promise<Locator> {
		await this.focusElementByTab(this.form.getByRole('button', { name: button, exact: true }));
		await this.pressKey('Enter');
		const made = this.getListItem(item);
		await made.and(this.#frame.locator(':focus-within')).waitFor();
		return made;
	}

	/** Chooses in the box open over the graph. `down`: number of rows below the first. */
	async chooseOption(name: string | RegExp, words: string, down = 0): Promise<void> {
		await this.#frame.getByRole('combobox', { name }).and(this.#frame.locator(':focus')).waitFor();
		await this.#page.keyboard.insertText(words);
		for (let steps = 0; steps < down; steps++) {
			await this.pressKey('ArrowDown');
		}
		await this.pressKey('Enter');
	}

	/** Adds a node after the selected one. `exit`: name of the output handle, if there are several. */
	async addNode(type: string, exit?: number): Promise<void> {
		await this.focusCanvas();
		await this.pressKey('a');
		if (exit !== undefined) {
			await this.chooseOption(/^Output handle of/, '', exit);
		}
		await this.chooseOption('Search node types', type.replaceAll('-', ' '));
		await this.#frame.locator(`.node.selected[data-type="${type}"]`).waitFor();
		await this.#frame.locator('.canvas:focus').waitFor();
	}

	/** Connects an output handle of the selected node to another node. */
	async connectSelectedNode(title: string): Promise<void> {
		await this.focusCanvas();
		await this.pressKey('c');
		await this.chooseOption(/^Connect/, title);
	}

	/** Sets the ID and title of the selected node. */
	async setNodeName(id: string, title: string): Promise<void> {
		await this.fillField(this.getFormField('ID'), id);
		await this.pressKey('Tab');
		await this.#frame.locator(`.node.selected[data-node="${id}"]`).waitFor();
		await this.fillField(this.getFormField('Title'), title);
	}

	async pressKey(key: string): Promise<void> {
		await this.#page.keyboard.press(key);
	}
}
