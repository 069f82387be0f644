import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';

/** Most presses on the way to something. */
const most = 40;

/** What the keyboard acts on: the element with the focus, for a list or a tree its focused row. */
interface Focus {
	/** Differs between two rows that say the same; stays where a row is drawn again. */
	place: string;
	/** What it may be called: the label of a row; of anything else its name for a screen reader, and its text. */
	names: readonly string[];
}

/** Presses a key, and waits until it has moved the focus: VS Code moves it in a command, some time after the key. */
export async function moveFocus(page: Page, key: string): Promise<void> {
	const { place } = await focusOf(page);
	await page.keyboard.press(key);
	await waitUntil(`the focus to leave “${place}” after ${key}`, async () => (await focusOf(page)).place !== place);
}

/** Moves the focus to what has this name by a key alone, such as ArrowDown. */
export async function moveFocusTo(page: Page, key: string, name: string): Promise<void> {
	const seen: string[] = [];
	while (seen.length < most) {
		const { names } = await focusOf(page);
		if (names.includes(name)) {
			return;
		}
		seen.push(names[0] ?? '');
		await moveFocus(page, key);
	}
	throw new Error(`No “${name}” on the way of ${key}: ${seen.join(', ')}`);
}

async function focusOf(page: Page): Promise<Focus> {
	return page.evaluate(() => {
		const element = document.activeElement;
		const row = element?.closest('.monaco-list')?.querySelector('.monaco-list-row.focused');
		const names = row
			? [row.querySelector('.label-name')?.textContent]
			: [element?.getAttribute('aria-label'), element?.textContent?.trim()];
		return { place: [row?.getAttribute('data-index'), ...names].join(' '), names: names.filter(name => typeof name === 'string') };
	});
}
