import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import { fill } from '../shared/fill.ts';
import type { Handlers } from '../shared/handlers.ts';
import { restoreFocusOnReturn } from '../shared/keepFocus.ts';
import { Page } from '../shared/page.ts';
import { FindBar } from './findBar.ts';
import { FormArea } from './form/formArea.ts';
import { SteadyDrawing, trackPresses } from './form/press.ts';
import { GraphActions } from './gestures/graphActions.ts';
import { PageCommands } from './gestures/pageCommands.ts';
import { PointerGestures } from './gestures/pointerGestures.ts';
import { Popup } from './gestures/popup.ts';
import { Preview } from './gestures/preview.ts';
import { TypeAhead } from './gestures/typeAhead.ts';
import { renderBanners, renderEmptyFile, renderGraphToolbar, type ToolbarParts } from './graphToolbar.ts';
import { GraphView } from './graphView.ts';
import { Outbox } from './outbox.ts';
import { PagePicture } from './pagePicture.ts';
import { PageRun } from './pageRun.ts';
import { PageSelection } from './pageSelection.ts';
import { createStopMarks, type StopMark } from './pageStops.ts';
import type { FromGraph, FromGraphHost } from './picture/graphProtocol.ts';
import type { DrawnEdge } from './picture/graphTypes.ts';
import { convertSvgToPng } from './pngOf.ts';

/** State that survives hiding the page and restarts. */
interface Kept {
	/** Read by the host when it restores the panel. */
	uri: string;
	selected: readonly string[];
}

type Begun = Extract<FromGraphHost, { type: 'begin' }>;

/** How often the durations of running nodes are updated, in milliseconds. */
const tickMs = 200;

/** The page of an agent file's graph. The page stores nothing about the file itself: the host sends the graph and applies all edits. */
export class GraphPage extends Page<FromGraphHost, FromGraph, Kept> {
	readonly #view: GraphView;
	readonly #find: FindBar;
	#begun: Begun | undefined;
	readonly #picture = new PagePicture();
	readonly #outbox = new Outbox(message => this.postMessage(message));
	readonly #typeAhead = new TypeAhead(
		() => this.#outbox.isWaiting,
		() => this.#view.canvas,
	);
	readonly #preview = new Preview();
	readonly #selection = new PageSelection(this.#outbox, selected => this.host.saveFields({ selected }), this.host.state.selected ?? []);
	readonly #drawing = new SteadyDrawing(() => this.render());
	#runChanged = false;
	readonly #run = new PageRun();
	readonly #form = new FormArea({
		outbox: this.#outbox,
		run: this.#run,
		post: message => this.postMessage(message),
		leave: () => this.#view.focus(),
	});
	readonly #popup = new Popup(() => this.#view.focus());
	readonly #actions: GraphActions;
	readonly #gestures: PointerGestures;
	readonly #commands: PageCommands;
	#refused: string | undefined;
	#faults: ReadonlyMap<string, readonly string[]> = new Map();
	#stops: ReadonlyMap<string, readonly StopMark[]> = new Map();

	constructor(root: HTMLElement) {
		super(root);
		this.#view = new GraphView({
			onSelect: (id, more) => this.#selectNodes(more ? [...this.#selection.nodes.filter(each => each !== id), id] : [id]),
			onOpen: node => this.postMessage({ type: 'reveal', node }),
			onKey: event => this.#commands.handleKey(event),
			onPointer: event => this.#isEditable && this.#gestures.start(event),
			onEdge: edge => this.#selectEdge(edge),
			onMenu: event => this.#commands.openMenu(event),
		});
		this.#actions = new GraphActions({
			view: this.#view,
			popup: this.#popup,
			post: message => this.postMessage(message),
			sendRequest: doing => this.#outbox.send(doing),
			getPicture: () => this.#picture.shown,
			getSelected: () => this.#selection.nodes,
			getStrings: () => (this.#begun as Begun).strings,
			getKinds: () => this.#begun?.kinds ?? [],
			showAgentForm: () => this.#form.toggleAgentForm(() => this.#selectNodes([])),
		});
		this.#gestures = new PointerGestures(this.#view, {
			getPicture: () => this.#picture.shown,
			getSelected: () => this.#selection.nodes,
			select: nodes => this.#selectNodes(nodes),
			showPreview: picture => {
				this.#preview.showPicture(picture);
				this.#requestRender(false);
			},
			onMoved: (nodes, picture) => this.#preview.showResult(picture, this.#actions.requestEdit({ do: 'move', nodes })),
			onConnected: (from, target) => this.#actions.requestEdit({ do: 'connect', from, target }),
			onHandleChosen: (behind, at) => this.#actions.addNode({ behind }, at),
		});
		this.#commands = new PageCommands({
			view: this.#view,
			actions: this.#actions,
			gestures: this.#gestures,
			selection: this.#selection,
			typeAhead: this.#typeAhead,
			getPicture: () => this.#picture.shown,
			isEditable: () => this.#isEditable,
			undo: type => this.#begun?.undoKeys === true && this.#outbox.send({ type }) > 0,
			select: nodes => this.#selectNodes(nodes),
			chooseEdge: edge => this.#selectEdge(edge),
		});
		this.#find = new FindBar({
			onFound: () => this.#requestRender(false),
			onGo: id => {
				this.#selectNodes([id]);
				this.#view.revealNode(id);
			},
			onLeave: () => this.#view.focus(),
		});
	}

	override start(): void {
		window.addEventListener('keydown', event => this.#handlePageKey(event));
		trackPresses(window, '.canvas');
		restoreFocusOnReturn(this.root, () => this.#view.focus());
		window.setInterval(() => this.#run.head?.live && this.#requestRender(false), tickMs);
		super.start();
	}

	protected override createReadyMessage(): FromGraph {
		return { type: 'ready', selected: this.#selection.nodes };
	}

	protected override readonly handlers: Handlers<FromGraphHost> = {
		begin: message => {
			this.#begun = message;
			this.#form.start(message.formStrings, message.strings);
			this.#outbox.continueNumbering(message.seq);
			this.host.saveFields({ uri: message.uri });
			this.#requestRender(false);
		},
		picture: message => this.#applyPicture(message),
		faults: message => {
			this.#faults = new Map(message.faults);
			this.#requestRender(false);
		},
		stops: message => {
			this.#stops = this.#begun ? createStopMarks(message, this.#begun.strings.stops) : this.#stops;
			this.#requestRender(false);
		},
		select: message => this.#applySelection(message),
		refused: message => {
			this.#refused = message.sentence;
			this.#requestRender(false);
		},
		done: message => this.#applyDoneRequests(message.seq),
		run: message => this.#applyRun(message),
		rowDetail: message => this.#form.receiveDetail(message),
		form: message => {
			this.#form.applyForm(message);
			this.#requestRender(false);
		},
		rasterize: message => void convertSvgToPng(message).then(png => this.postMessage({ type: 'rasterized', png })),
	};

	/**
	 * Applies a selection by the host. Ignores selections that result from requests before the user's last selection. Doesn't take the focus
	 * from a field.
	 */
	#applySelection({ nodes, by }: Extract<FromGraphHost, { type: 'select' }>): void {
		if (this.#selection.applyHostSelection(nodes, by) && by !== undefined && !document.activeElement?.matches('input, textarea, select')) {
			this.#view.focus();
		}
		this.#requestRender(false);
	}

	#applyDoneRequests(seq: number): void {
		this.#outbox.markRequestsDone(seq);
		this.#form.markRequestsDone(seq);
		this.#preview.confirmRequests(seq);
		this.#requestRender(false);
		this.#typeAhead.replayKeys();
	}

	#applyPicture(message: Extract<FromGraphHost, { type: 'picture' }>): void {
		const { shown: before, empty: wasEmpty } = this.#picture;
		if (!this.#picture.applyUpdate(message)) {
			this.postMessage({ type: 'wholePicture' });
			return;
		}
		this.#preview.confirmPicture(message.done);
		this.#refused = undefined;
		const { shown, empty } = this.#picture;
		if (shown !== before) {
			this.#selection.restrictToPicture(shown);
			this.#find.applyPicture(shown);
		}
		if (!this.#isEditable) {
			this.#gestures.cancelGesture();
		}
		this.#requestRender(true);
		if (empty && !wasEmpty) {
			this.root.querySelector<HTMLElement>('.beginning button')?.focus();
		}
	}

	#applyRun(news: Extract<FromGraphHost, { type: 'run' }>): void {
		const ended = this.#run.applyUpdate(news);
		this.#form.applyRun(news.isNew);
		if (ended !== undefined) {
			this.announcement = getOwnField(this.#begun?.strings.statuses ?? {}, ended) ?? ended;
		}
		this.#requestRender(true);
	}

	#selectNodes(nodes: readonly string[]): void {
		this.#selection.selectNodes(nodes);
		this.postMessage({ type: 'select', nodes });
		this.announcement = nodes.length > 1 ? fill(this.#begun?.strings.selectedMany ?? '', nodes.length) : '';
		this.#requestRender(false);
	}

	get #isEditable(): boolean {
		return this.#begun?.editable === true && this.#picture.stale === undefined && !this.#picture.empty;
	}

	#selectEdge(edge: DrawnEdge | undefined): void {
		if (edge || this.#selection.nodes.length > 0 || this.#selection.edge || this.#form.isAgentShown) {
			this.#selectNodes([]);
			this.#selection.edge = edge;
			this.announcement = edge ? this.#actions.formatEdge(edge) : '';
			this.#requestRender(false);
		}
	}

	#handlePageKey(event: KeyboardEvent): void {
		if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'f') {
			event.preventDefault();
			this.#find.focus();
		}
	}

	#requestRender(runChanged: boolean): void {
		this.#runChanged ||= runChanged;
		this.#drawing.requestDrawing();
	}

	protected override renderPage(): unknown {
		const begun = this.#begun;
		if (!begun) {
			return undefined;
		}
		const { strings } = begun;
		const picture = this.#preview.picture ?? this.#picture.shown;
		if (picture) {
			this.#view.applyScene(
				{
					picture,
					words: strings,
					run: this.#run.overlay,
					faults: this.#faults,
					stops: this.#stops,
					found: this.#find.found,
					editable: this.#isEditable,
					edge: this.#selection.edge,
				},
				this.#runChanged,
			);
		}
		this.#runChanged = false;
		return html`${renderGraphToolbar(begun, this.#createToolbarParts())}
			${renderBanners(this.#picture.stale, this.#refused, strings, () => this.#dismissRefusal())}
			<main class="panes" aria-label=${strings.graph}>${picture ? html`<div class="graphArea">${this.#view.element}<div class="zoomBar">${this.#view.renderZoomButtons(strings)}</div></div>` : this.#picture.empty ? renderEmptyFile(begun, this.#actions) : nothing}${this.#form.element}${this.#popup.element}</main>
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		this.#view.showScene(this.#selection.nodes, this.#preview.picture === undefined);
	}

	#createToolbarParts(): ToolbarParts {
		return {
			actions: this.#actions,
			run: this.#run.head,
			empty: this.#picture.empty,
			find: this.#begun && this.#find.render(this.#begun.strings),
			post: message => this.postMessage(message),
			undo: type => this.#outbox.send({ type }),
			hasNode: this.#selection.nodes.length === 1,
		};
	}

	#dismissRefusal(): void {
		this.#refused = undefined;
		this.#requestRender(false);
		this.#view.focus();
	}
}
