import type { Locator, Page } from 'playwright-core';

const cursor =
	'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M3 1v15l4-4 3 6 2.5-1.2-3-5.8h5.5z" fill="#fff" stroke="#000"/></svg>';

/** Records a window as screenshots, with a mouse pointer, which screenshots don't show. */
export class Film {
	readonly shots: { png: Buffer; duration: number }[] = [];
	readonly #page: Page;

	constructor(page: Page) {
		this.#page = page;
	}

	/** Takes a screenshot that is shown for some milliseconds. */
	async takeScreenshot(duration: number): Promise<void> {
		this.shots.push({ png: await this.#page.screenshot({ animations: 'disabled', caret: 'hide' }), duration });
	}

	/** Takes screenshots until something has happened. */
	async takeScreenshotsUntil(happened: Promise<unknown>, duration: number): Promise<void> {
		let done = false;
		const end = happened.finally(() => {
			done = true;
		});
		while (!done) {
			await this.takeScreenshot(duration);
		}
		await end;
	}

	/** Moves the pointer to an element in a few steps, then clicks it. */
	async clickElement(target: Locator): Promise<void> {
		await target.waitFor();
		const box = (await target.boundingBox())!;
		const [x, y] = [box.x + Math.min(box.width / 2, 30), box.y + box.height / 2];
		const from = await this.#page.evaluate(() => {
			const { left = 640, top = 500 } = document.querySelector('#pointer')?.getBoundingClientRect() ?? {};
			return { left, top };
		});
		for (const part of [0.4, 0.75, 1]) {
			await this.#showPointer(from.left + (x - from.left) * part, from.top + (y - from.top) * part);
			await this.takeScreenshot(part === 1 ? 500 : 90);
		}
		await target.click();
	}

	async #showPointer(left: number, top: number): Promise<void> {
		await this.#page.evaluate(
			({ cursor, left, top }) => {
				const pointer = document.querySelector<HTMLElement>('#pointer') ?? document.body.appendChild(document.createElement('div'));
				pointer.id = 'pointer';
				pointer.style.cssText = `position: fixed; z-index: 1000000; left: ${left}px; top: ${top}px; width: 20px; height: 20px; pointer-events: none; background: url('data:image/svg+xml;base64,${btoa(cursor)}')`;
			},
			{ cursor, left, top },
		);
	}
}
