import assert from 'node:assert/strict';
import type { Rect } from '#agentFile/layout/geometry.ts';
import { containsRect, Viewport } from '#pages/graph/viewport.ts';

describe('visible area of a canvas', () => {
	const before = globalThis.ResizeObserver;
	const content: Rect = { x: 0, y: 0, width: 5000, height: 3000 };
	const start: Rect = { x: 0, y: 0, width: 240, height: 48 };
	const far: Rect = { x: 4000, y: 2500, width: 240, height: 48 };
	let viewport: Viewport;
	let resize: (width: number, height: number) => void;

	beforeEach(() => {
		const element = { clientWidth: 0, clientHeight: 0, addEventListener() {} };
		globalThis.ResizeObserver = class {
			constructor(reported: () => void) {
				resize = (clientWidth, clientHeight) => {
					Object.assign(element, { clientWidth, clientHeight });
					reported();
				};
			}
			observe() {}
		} as never;
		viewport = new Viewport(element as unknown as HTMLElement, () => {});
		viewport.first = start;
		viewport.content = content;
	});
	afterEach(() => {
		globalThis.ResizeObserver = before;
	});
	const isBoxVisible = (box: Rect) => containsRect(viewport.sight, box);

	it('reveals a requested box as soon as the element has a size', () => {
		viewport.revealBox(far);
		resize(800, 600);
		assert.ok(isBoxVisible(far));
		resize(500, 400);
		assert.ok(isBoxVisible(far), 'in less room too');
	});

	it('shows the start, and keeps a revealed box visible when the element shrinks', () => {
		resize(1200, 900);
		assert.ok(isBoxVisible(start));
		const chosen = { x: 900, y: 700, width: 240, height: 48 };
		viewport.revealBox(chosen);
		assert.ok(isBoxVisible(start) && isBoxVisible(chosen), 'nothing moves that need not');
		resize(600, 400);
		assert.ok(isBoxVisible(chosen));
		viewport.revealBox(start);
		resize(500, 300);
		assert.ok(isBoxVisible(start) && !isBoxVisible(chosen));
	});

	it('keeps the whole graph in view when the element is resized, until the user moves it', () => {
		viewport.content = { x: 0, y: 0, width: 1500, height: 900 };
		resize(800, 600);
		viewport.zoomToFit();
		assert.ok(viewport.isWhole);
		resize(500, 600);
		assert.ok(viewport.isWhole, 'narrower');
		resize(1200, 900);
		const { factor } = viewport;
		viewport.zoomBy(1);
		resize(900, 900);
		assert.equal(viewport.factor, factor * 1.25);
	});

	it('stays where the user moved it', () => {
		resize(800, 600);
		viewport.revealBox(far);
		viewport.panBy(3000, 2000);
		const { x, y } = viewport.sight;
		assert.ok(!isBoxVisible(far));
		resize(0, 0);
		resize(700, 500);
		assert.deepEqual([viewport.sight.x, viewport.sight.y], [x, y]);
	});

	it("doesn't move when the content keeps its bounds", () => {
		resize(800, 600);
		const other = { x: 300, y: 200, width: 240, height: 48 };
		viewport.revealBox(other);
		const { transform } = viewport;
		viewport.first = far;
		viewport.content = { ...content };
		assert.equal(viewport.transform, transform);
		viewport.content = { ...content, width: 6000 };
		assert.ok(isBoxVisible(far));
	});
});
