import { JSDOM } from 'jsdom';

/** Defines the globals of a page for modules that render. Call it before importing them. */
export function installDom(): { restore(): void } {
	const { window } = new JSDOM('<!DOCTYPE html><body></body>');
	const names = ['window', 'document', 'Text', 'HTMLElement', 'requestAnimationFrame', 'cancelAnimationFrame'] as const;
	const before = new Map(names.map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
	for (const name of names) {
		Object.defineProperty(globalThis, name, {
			configurable: true,
			writable: true,
			value: name === 'window' ? window : window[name as 'document'],
		});
	}
	globalThis.requestAnimationFrame = callback => window.setTimeout(() => callback(0), 0);
	return {
		restore() {
			for (const [name, descriptor] of before) {
				if (descriptor) {
					Object.defineProperty(globalThis, name, descriptor);
				} else {
					Reflect.deleteProperty(globalThis, name);
				}
			}
			window.close();
		},
	};
}
