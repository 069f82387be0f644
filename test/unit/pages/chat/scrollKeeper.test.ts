import assert from 'node:assert/strict';
import { ScrollKeeper } from '#pages/chat/scrollKeeper.ts';

/** A scrolling box with the properties that the keeper uses. */
function createScrollingBox(clientHeight: number, scrollHeight: number) {
	const events = new EventTarget();
	return {
		clientHeight,
		scrollHeight,
		scrollTop: 0,
		addEventListener: events.addEventListener.bind(events),
		dispatchEvent: events.dispatchEvent.bind(events),
	};
}

describe('list that follows its end', () => {
	const { ResizeObserver } = globalThis;
	let onResize: () => void = () => undefined;
	before(() => {
		globalThis.ResizeObserver = class {
			constructor(callback: () => void) {
				onResize = callback;
			}
			observe(): void {}
			unobserve(): void {}
			disconnect(): void {}
		} as unknown as typeof globalThis.ResizeObserver;
	});
	after(() => {
		globalThis.ResizeObserver = ResizeObserver;
	});

	function createKeeper(box: ReturnType<typeof createScrollingBox>): ScrollKeeper {
		const keeper = new ScrollKeeper(box as unknown as HTMLElement, {} as HTMLElement, () => undefined);
		onResize();
		return keeper;
	}

	it('keeps following when its box shrinks, which also scrolls it', () => {
		const box = createScrollingBox(300, 900);
		const keeper = createKeeper(box);
		box.scrollTop = 600;
		box.clientHeight = 100;
		box.dispatchEvent(new Event('scroll'));
		assert.equal(keeper.sticks, true);
		onResize();
		box.scrollTop = 200;
		box.dispatchEvent(new Event('scroll'));
		assert.equal(keeper.sticks, false);
	});

	it('counts as being at its end when it fits the box', () => {
		const box = createScrollingBox(300, 900);
		const keeper = createKeeper(box);
		keeper.restorePosition(100);
		assert.equal(keeper.sticks, false);
		box.scrollHeight = 300;
		onResize();
		assert.equal(keeper.sticks, true);
	});
});
