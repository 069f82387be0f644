import type { Rect } from '#agentFile/layout/geometry.ts';
import type { GraphState } from './graphState.ts';
import type { AgentPicture } from './picture/graphTypes.ts';
import type { Viewport } from './viewport.ts';

/** Maximum size of the minimap, in pixels. */
const size = { width: 170, height: 110 };
/** Maximum scale, for small graphs. */
const largest = 0.1;
/** Delay after the graph itself is drawn, in milliseconds. */
const drawMs = 50;

/**
 * A small picture of the whole graph with a frame around the visible area. Hidden while the whole graph is visible. Only for pointers,
 * because keys and screen readers use the nodes.
 */
export class Minimap {
	readonly element = document.createElement('div');
	readonly #canvas = document.createElement('canvas');
	readonly #frame = document.createElement('div');
	readonly #viewport: Viewport;
	#picture: AgentPicture | undefined;
	#state: GraphState | undefined;
	#scale = 1;
	#isDrawn = false;
	#later: number | undefined;

	constructor(viewport: Viewport) {
		this.#viewport = viewport;
		this.element.className = 'minimap';
		this.element.hidden = true;
		this.element.setAttribute('aria-hidden', 'true');
		this.#frame.className = 'minimapFrame';
		this.element.append(this.#canvas, this.#frame);
		this.element.addEventListener('pointerdown', event => {
			this.element.setPointerCapture(event.pointerId);
			this.#centerViewport(event);
		});
		this.element.addEventListener('pointermove', event => event.buttons === 1 && this.#centerViewport(event));
		// a canvas keeps its colors, so redraw it when the theme changes
		new MutationObserver(() => {
			this.#isDrawn = false;
			this.updateFrame();
		}).observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
	}

	applyPicture(picture: AgentPicture): void {
		const before = this.#picture;
		this.#picture = picture;
		this.#scale = Math.min(largest, size.width / picture.width, size.height / picture.height);
		this.#isDrawn &&= before !== undefined && hasSameLayout(before, picture);
		this.updateFrame();
	}

	/** Applies the states of nodes in a run. */
	applyState(state: GraphState | undefined): void {
		if (state !== this.#state) {
			this.#state = state;
			this.#isDrawn = false;
			this.updateFrame();
		}
	}

	/** Updates the frame when the visible area changes. */
	updateFrame(): void {
		const picture = this.#picture;
		const { sight } = this.#viewport;
		this.element.hidden = !picture || sight.width === 0 || this.#viewport.isWhole;
		if (!picture || this.element.hidden) {
			return;
		}
		if (!this.#isDrawn) {
			this.#scheduleDraw();
		}
		const scaleLength = (value: number, most: number) => Math.min(most, Math.max(0, value)) * this.#scale;
		const [left, top] = [scaleLength(sight.x - picture.x, picture.width), scaleLength(sight.y - picture.y, picture.height)];
		const [right, bottom] = [
			scaleLength(sight.x + sight.width - picture.x, picture.width),
			scaleLength(sight.y + sight.height - picture.y, picture.height),
		];
		this.#frame.style.cssText = `transform:translate(${left}px,${top}px);width:${Math.max(4, right - left)}px;height:${Math.max(4, bottom - top)}px`;
	}

	/** Schedules drawing after the frame in which the graph itself is drawn. */
	#scheduleDraw(): void {
		this.#later ??= window.setTimeout(() => {
			this.#later = undefined;
			if (this.#picture && !this.#isDrawn) {
				this.#drawMap(this.#picture);
			}
		}, drawMs);
	}

	#drawMap(picture: AgentPicture): void {
		this.#isDrawn = true;
		const ratio = devicePixelRatio;
		const [width, height] = [picture.width * this.#scale, picture.height * this.#scale];
		Object.assign(this.#canvas, { width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) });
		this.#canvas.style.cssText = `width:${width}px;height:${height}px`;
		const context = this.#canvas.getContext('2d');
		if (!context) {
			return;
		}
		const styles = getComputedStyle(document.documentElement);
		const getColor = (name: string) => styles.getPropertyValue(name).trim() || styles.getPropertyValue('--vscode-foreground').trim();
		const [plain, good, bad, busy] = ['descriptionForeground', 'testing-iconPassed', 'testing-iconFailed', 'charts-blue'].map(name =>
			getColor(`--vscode-${name}`),
		);
		context.scale(ratio * this.#scale, ratio * this.#scale);
		context.translate(-picture.x, -picture.y);
		for (const { id, container, x, y, width: wide, height: high } of picture.nodes) {
			const status = this.#state?.nodes.get(id)?.status;
			const own = status === 'succeeded' ? good : status === 'failed' ? bad : status === 'running' ? busy : plain;
			context.globalAlpha = container ? 0.25 : status === 'skipped' ? 0.3 : 0.75;
			context.fillStyle = own ?? '';
			context.fillRect(x, y, wide, high);
		}
	}

	#centerViewport(event: PointerEvent): void {
		const picture = this.#picture;
		if (picture) {
			const { left, top } = this.element.getBoundingClientRect();
			this.#viewport.centerPoint({
				x: picture.x + (event.clientX - left) / this.#scale,
				y: picture.y + (event.clientY - top) / this.#scale,
			});
		}
	}
}

/** True if two pictures have the same boxes, because the minimap draws nothing else. */
function hasSameLayout(a: AgentPicture, b: AgentPicture): boolean {
	const isSameBox = (one: Rect, other: Rect | undefined) =>
		one === other || (one.x === other?.x && one.y === other.y && one.width === other.width && one.height === other.height);
	const hasSameBoxes = () =>
		a.nodes.length === b.nodes.length && a.nodes.every((node, at) => node.id === b.nodes[at]?.id && isSameBox(node, b.nodes[at]));
	return a === b || (isSameBox(a, b) && (a.nodes === b.nodes || hasSameBoxes()));
}
