import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';

/** Maximum number of key presses to reach a target. */
const most = 40;

/** The target of keyboard input: the focused element, or the focused row of a list or tree. */
interface Focus {
	/** Differs between two rows with equal text; stays the same if a row is rendered again. */
	place: string;
	/** Its possible names: the label of a row; for other elements the accessible name and the text. */
	names: readonly string[];
}

/** Presses a key and waits until the focus has moved: VS Code moves it in a command, some time after the key. */
export async function moveFocus(page: Page, key: string): Promise<void> {
	const { place } = await getFocus(page);
	await page.keyboard.press(key);
	await waitUntil(`the focus to leave “${place}” after ${key}`, async () => (await getFocus(page)).place !== place);
}

/** Moves the focus to the element with this name by pressing one key repeatedly, such as ArrowDown. */
export async function moveFocusTo(page: Page, key: string, name: string): Promise<void> {
	const seen: string[] = [];
	while (seen.length < most) {
		const { names } = await getFocus(page);
		if (names.includes(name)) {
			return;
		}
		seen.push(names[0] ?? '');
		await moveFocus(page, key);
	}
	throw new Error(`No “${name}” on the way of ${key}: ${seen.join(', ')}`);
}

async function getFocus(page: Page): Promise<Focus> {
	return page.evaluate(() => {
		const element = document.activeElement;
		const row = element?.closest('.monaco-list')?.querySelector('.monaco-list-row.focused');
		const names = row
			? [row.querySelector('.label-name')?.textContent]
			: [element?.getAttribute('aria-label'), element?.textContent?.trim()];
		return { place: [row?.getAttribute('data-index'), ...names].join(' '), names: names.filter(name => typeof name === 'string') };
	});
}
