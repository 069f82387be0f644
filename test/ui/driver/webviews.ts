import type { Frame, Page } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';

/** Finds the document inside a webview by the title of its view or editor: two frames down, the inner one named active-frame. */
export async function findWebviewFrame(page: Page, title: string | RegExp): Promise<Frame> {
	const frame = await waitUntil(`the webview “${title}”`, () => findFrame(page, title));
	await frame.waitForLoadState('domcontentloaded');
	return frame;
}

/** Returns the document inside a webview, if it's there now. */
export async function findFrame(page: Page, title: string | RegExp): Promise<Frame | undefined> {
	const matchesTitle = (shown: string) => (typeof title === 'string' ? shown === title : title.test(shown));
	for (const frame of page.frames()) {
		if (frame.isDetached() || frame.parentFrame()?.parentFrame() !== page.mainFrame()) {
			continue;
		}
		try {
			const element = await frame.frameElement();
			if ((await element.getAttribute('id')) === 'active-frame' && matchesTitle((await element.getAttribute('title')) ?? '')) {
				return frame;
			}
		} catch {
			// the frame was replaced meanwhile: the next attempt finds the new one
		}
	}
	return undefined;
}
