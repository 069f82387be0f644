import type { Locator } from 'playwright-core';

/** A PNG of one pixel, in base64. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Pastes {@link png} as a file into the chat's input box. */
export async function pastePng(box: Locator, name: string): Promise<void> {
	await box.evaluate(
		(element, [base64, as]) => {
			const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
			const transfer = new DataTransfer();
			transfer.items.add(new File([bytes], as, { type: 'image/png' }));
			element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
		},
		[png, name] as const,
	);
}

/** Drops {@link png} as a file onto an element, as from a folder of the computer. */
export async function dropPng(target: Locator, name: string): Promise<void> {
	await target.evaluate(
		(element, [base64, as]) => {
			const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
			const transfer = new DataTransfer();
			transfer.items.add(new File([bytes], as, { type: 'image/png' }));
			element.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
		},
		[png, name] as const,
	);
}
