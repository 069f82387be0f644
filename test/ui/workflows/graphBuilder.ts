import assert from 'node:assert/strict';
import type { Frame, Locator, Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';

/** Actions of a user on the canvas of an agent with a mouse. */
export class GraphBuilder {
	readonly #page: Page;
	readonly #frame: Frame;

	constructor(page: Page, frame: Frame) {
		this.#page = page;
		this.#frame = frame;
	}

	/** The form next to the graph. */
	get form(): Locator {
		return this.#frame.getByRole('form');
	}

	/** Returns a node by its title. */
	getNode(title: string): Locator {
		return this.#frame.locator('.node').filter({ has: this.#frame.locator('.nodeTitle').getByText(title, { exact: true }) });
	}

	/** Returns a group of fields in the form. */
	getFieldGroup(name: string): Locator {
		return this.form.getByRole('group', { name: new RegExp(`^${name}( required)?$`) });
	}

	/** Returns an item of a list in the form. */
	getListItem(name: string): Locator {
		return this.form.getByRole('group', { name, exact: true }).and(this.form.locator('.item'));
	}

	async addListItem(list: string): Promise<void> {
		const before = await this.form.locator('.item').count();
		await this.form.getByRole('button', { name: `Add to '${list}'`, exact: true }).click();
		await waitUntil('the new item', async () => (await this.form.locator('.item').count()) > before);
	}

	/** Types into a field and leaves it. */
	async setFieldText(field: Locator, text: string): Promise<void> {
		await field.click();
		await field.fill(text);
		await field.blur();
	}

	async fillField(of: Locator, label: string, text: string): Promise<void> {
		await this.setFieldText(this.#getFormField(of, label), text);
	}

	/** Chooses a value in a field that offers values. */
	async chooseValue(of: Locator, label: string, value: string): Promise<void> {
		const field = this.#getFormField(of, label);
		if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') {
			await field.selectOption(value);
		} else {
			await this.pickFieldValue(field, value);
		}
	}

	/** Chooses a value of a list, or types one that isn't in the list. */
	async pickFieldValue(field: Locator, value: string): Promise<void> {
		await field.click();
		const choice = this.#frame.locator(`.choice[title="${value}"]`);
		await field.fill(value);
		if ((await choice.count()) > 0) {
			await choice.first().click();
		} else {
			await field.press('Enter');
		}
	}

	/** Sets the ID and title of the selected node. */
	async setNodeName(id: string, title: string): Promise<void> {
		await this.fillField(this.form, 'ID', id);
		await this.#frame.locator(`.node.selected[data-node="${id}"]`).waitFor();
		await this.fillField(this.form, 'Title', title);
		await this.getNode(title).waitFor();
	}

	/** Drags an edge from a handle to the empty canvas, and chooses the node to add there. */
	async addNode(from: string, handle: string, type: string): Promise<void> {
		await this.centerNode(from);
		const start = await this.#getElementCenter(this.#getHandle(from, handle));
		const nodes = await this.#frame.locator('.node').count();
		await this.#page.mouse.move(start.x, start.y);
		await this.#page.mouse.down();
		await this.#page.mouse.move(start.x + 40, start.y - 6, { steps: 4 });
		await this.#page.mouse.up();
		const list = this.#frame.getByRole('combobox', { name: 'Search node types' });
		await list.waitFor();
		await list.fill(type.replaceAll('-', ' '));
		await this.#frame.locator('.popupItem.current').click();
		await waitUntil('the new node', async () => (await this.#frame.locator('.node').count()) === nodes + 1);
		await this.#frame.locator(`.node.selected[data-type="${type}"]`).waitFor();
	}

	/** Drags an edge from a handle to a node. */
	async connectNodes(from: string, handle: string, to: string): Promise<void> {
		await this.#frame.getByRole('button', { name: 'Show the whole graph' }).click();
		const start = await this.#getElementCenter(this.#getHandle(from, handle));
		const end = await this.#getElementCenter(this.#frame.locator(`.node[data-node="${to}"]`));
		await this.#page.mouse.move(start.x, start.y);
		await this.#page.mouse.down();
		await this.#page.mouse.move(end.x, end.y, { steps: 6 });
		await this.#page.mouse.up();
		await this.#frame.locator(`[data-source="${from}"][data-exit="${handle}"][data-target="${to}"]`).waitFor({ state: 'attached' });
	}

	/** Turns the wheel until a node is in the middle of the canvas and large enough to read. */
	async centerNode(id: string): Promise<void> {
		const zoomIn = this.#frame.getByRole('button', { name: 'Zoom in' });
		const node = this.#frame.locator(`.node[data-node="${id}"]`);
		await waitUntil('a size to be read', async () => {
			const width = (await node.boundingBox())?.width ?? 0;
			if (width < 180) {
				await zoomIn.click();
			}
			return width >= 180;
		});
		const canvas = await this.#frame.locator('.canvas').boundingBox();
		assert.ok(canvas);
		await waitUntil('the node in the middle', async () => {
			const { x, y } = await this.#getElementCenter(node);
			const [dx, dy] = [x - canvas.x - canvas.width / 2, y - canvas.y - canvas.height / 2];
			if (Math.hypot(dx, dy) > 80) {
				await this.#page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height / 2);
				await this.#page.mouse.wheel(dx, dy);
				return false;
			}
			return true;
		});
	}

	#getHandle(of: string, handle: string): Locator {
		return this.#frame.locator(`.handle.out[data-of="${of}"][data-exit="${handle}"]`);
	}

	async #getElementCenter(of: Locator): Promise<{ x: number; y: number }> {
		const box = await of.boundingBox();
		assert.ok(box);
		return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
	}

	#getFormField(of: Locator, label: string): Locator {
		return of.getByLabel(new RegExp(`^\\s*${label}( required)?\\s*$`)).first();
	}
}
