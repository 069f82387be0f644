import { html, nothing } from 'lit';
import { ownField } from '#base/records/ownField.ts';
import { fill } from '../shared/fill.ts';
import type { Handlers } from '../shared/handlers.ts';
import { keepFocus } from '../shared/keepFocus.ts';
import { Page } from '../shared/page.ts';
import { FindBar } from './findBar.ts';
import { FormArea } from './form/formArea.ts';
import { followPresses, SteadyDrawing } from './form/press.ts';
import { GraphActions } from './gestures/graphActions.ts';
import { PageCommands } from './gestures/pageCommands.ts';
import { PointerGestures } from './gestures/pointerGestures.ts';
import { Popup } from './gestures/popup.ts';
import { Preview } from './gestures/preview.ts';
import { TypeAhead } from './gestures/typeAhead.ts';
import { bannersView, beginning, graphToolbar, type ToolbarParts } from './graphToolbar.ts';
import { GraphView } from './graphView.ts';
import { Outbox } from './outbox.ts';
import { PagePicture } from './pagePicture.ts';
import { PageRun } from './pageRun.ts';
import { PageSelection } from './pageSelection.ts';
import { type StopMark, stopMarks } from './pageStops.ts';
import type { FromGraph, FromGraphHost } from './picture/graphProtocol.ts';
import type { DrawnEdge } from './picture/graphTypes.ts';
import { pngOf } from './pngOf.ts';

/** State that survives hiding the page and restarts. */
interface Kept {
	/** The host reads it when the panel is restored. */
	uri: string;
	selected: readonly string[];
}

type Begun = Extract<FromGraphHost, { type: 'begin' }>;

/** How often the durations of running nodes are updated, in milliseconds. */
const tickMs = 200;

/** The page of an agent file's graph. It has no state of the file itself: the host sends the graph and applies all edits. */
export class GraphPage extends Page<FromGraphHost, FromGraph, Kept> {
	readonly #view: GraphView;
	readonly #find: FindBar;
	#begun: Begun | undefined;
	readonly #picture = new PagePicture();
	readonly #outbox = new Outbox(message => this.post(message));
	readonly #typeAhead = new TypeAhead(
		() => this.#outbox.waits,
		() => this.#view.canvas,
	);
	readonly #preview = new Preview();
	readonly #selection = new PageSelection(this.#outbox, selected => this.host.keep({ selected }), this.host.state.selected ?? []);
	readonly #drawing = new SteadyDrawing(() => this.render());
	#runChanged = false;
	readonly #form = new FormArea(
		this.#outbox,
		message => this.post(message),
		() => this.#view.focus(),
	);
	readonly #popup = new Popup(() => this.#view.focus());
	readonly #actions: GraphActions;
	readonly #gestures: PointerGestures;
	readonly #commands: PageCommands;
	#refused: string | undefined;
	#faults: ReadonlyMap<string, readonly string[]> = new Map();
	#stops: ReadonlyMap<string, readonly StopMark[]> = new Map();
	readonly #run = new PageRun();

	constructor(root: HTMLElement) {
		super(root);
		this.#view = new GraphView({
			selected: (id, more) => this.#select(more ? [...this.#selection.nodes.filter(each => each !== id), id] : [id]),
			entered: node => this.post({ type: 'reveal', node }),
			key: event => this.#commands.key(event),
			pointer: event => this.#isEditable && this.#gestures.begin(event),
			edge: edge => this.#chooseEdge(edge),
			menu: event => this.#commands.menu(event),
		});
		this.#actions = new GraphActions({
			view: this.#view,
			popup: this.#popup,
			post: message => this.post(message),
			ask: doing => this.#outbox.ask(doing),
			picture: () => this.#picture.shown,
			selected: () => this.#selection.nodes,
			strings: () => (this.#begun as Begun).strings,
			kinds: () => this.#begun?.kinds ?? [],
			agentForm: () => this.#form.toggleAgent(() => this.#select([])),
		});
		this.#gestures = new PointerGestures(this.#view, {
			picture: () => this.#picture.shown,
			selected: () => this.#selection.nodes,
			select: nodes => this.#select(nodes),
			preview: picture => {
				this.#preview.show(picture);
				this.#render(false);
			},
			moved: (nodes, picture) => {
				this.#preview.dropped(picture, this.#actions.edit({ do: 'move', nodes }));
			},
			connected: (from, target) => this.#actions.edit({ do: 'connect', from, target }),
			exitChosen: (behind, at) => this.#actions.add({ behind }, at),
		});
		this.#commands = new PageCommands({
			view: this.#view,
			actions: this.#actions,
			gestures: this.#gestures,
			selection: this.#selection,
			typeAhead: this.#typeAhead,
			picture: () => this.#picture.shown,
			editable: () => this.#isEditable,
			undo: type => this.#begun?.undoKeys === true && this.#outbox.ask({ type }) > 0,
			select: nodes => this.#select(nodes),
			chooseEdge: edge => this.#chooseEdge(edge),
		});
		this.#find = new FindBar({
			found: () => this.#render(false),
			go: id => {
				this.#select([id]);
				this.#view.reveal(id);
			},
			left: () => this.#view.focus(),
		});
	}

	override start(): void {
		window.addEventListener('keydown', event => this.#pageKey(event));
		followPresses(window, '.canvas');
		keepFocus(this.root, () => this.#view.focus());
		window.setInterval(() => this.#run.head?.live && this.#render(false), tickMs);
		super.start();
	}

	protected override ready(): FromGraph {
		return { type: 'ready', selected: this.#selection.nodes };
	}

	protected override readonly handlers: Handlers<FromGraphHost> = {
		begin: message => {
			this.#begun = message;
			this.#form.begin(message.formStrings);
			this.#outbox.begin(message.seq);
			this.host.keep({ uri: message.uri });
			this.#render(false);
		},
		picture: message => this.#takePicture(message),
		faults: message => {
			this.#faults = new Map(message.faults);
			this.#render(false);
		},
		stops: message => {
			this.#stops = this.#begun ? stopMarks(message, this.#begun.strings.stops) : this.#stops;
			this.#render(false);
		},
		select: message => this.#takeSelection(message),
		refused: message => {
			this.#refused = message.sentence;
			this.#render(false);
		},
		done: message => this.#takeDone(message.seq),
		run: message => this.#takeRun(message),
		form: message => {
			this.#form.take(message);
			this.#render(false);
		},
		rasterize: message => void pngOf(message).then(png => this.post({ type: 'rasterized', png })),
	};

	/** Ignores selections that result from requests before the user's last selection. Doesn't take the focus from a field. */
	#takeSelection({ nodes, by }: Extract<FromGraphHost, { type: 'select' }>): void {
		if (this.#selection.told(nodes, by) && by !== undefined && !document.activeElement?.matches('input, textarea, select')) {
			this.#view.focus();
		}
		this.#render(false);
	}

	#takeDone(seq: number): void {
		this.#outbox.answered(seq);
		this.#form.answered(seq);
		this.#preview.answered(seq);
		this.#render(false);
		this.#typeAhead.replay();
	}

	#takePicture(message: Extract<FromGraphHost, { type: 'picture' }>): void {
		const { shown: before, empty: wasEmpty } = this.#picture;
		if (!this.#picture.take(message)) {
			this.post({ type: 'wholePicture' });
			return;
		}
		this.#preview.told(message.done);
		this.#refused = undefined;
		const { shown, empty } = this.#picture;
		if (shown !== before) {
			this.#selection.within(shown);
			this.#find.take(shown);
		}
		if (!this.#isEditable) {
			this.#gestures.cancel();
		}
		this.#render(true);
		if (empty && !wasEmpty) {
			this.root.querySelector<HTMLElement>('.beginning button')?.focus();
		}
	}

	#takeRun(news: Extract<FromGraphHost, { type: 'run' }>): void {
		const ended = this.#run.take(news);
		if (ended !== undefined) {
			this.announcement = ownField(this.#begun?.strings.statuses ?? {}, ended) ?? ended;
		}
		this.#render(true);
	}

	#select(nodes: readonly string[]): void {
		this.#selection.choose(nodes);
		this.post({ type: 'select', nodes });
		this.announcement = nodes.length > 1 ? fill(this.#begun?.strings.selectedMany ?? '', nodes.length) : '';
		this.#render(false);
	}

	get #isEditable(): boolean {
		return this.#begun?.editable === true && this.#picture.stale === undefined && !this.#picture.empty;
	}

	#chooseEdge(edge: DrawnEdge | undefined): void {
		if (edge || this.#selection.nodes.length > 0 || this.#selection.edge || this.#form.isAgentShown) {
			this.#select([]);
			this.#selection.edge = edge;
			this.announcement = edge ? this.#actions.edgeName(edge) : '';
			this.#render(false);
		}
	}

	#pageKey(event: KeyboardEvent): void {
		if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'f') {
			event.preventDefault();
			this.#find.focus();
		}
	}

	#render(runChanged: boolean): void {
		this.#runChanged ||= runChanged;
		this.#drawing.draw();
	}

	protected override view(): unknown {
		const begun = this.#begun;
		if (!begun) {
			return undefined;
		}
		const { strings } = begun;
		const picture = this.#preview.picture ?? this.#picture.shown;
		if (picture) {
			this.#view.take(
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
		return html`${graphToolbar(begun, this.#toolbarParts())}
			${bannersView(this.#picture.stale, this.#refused, strings, () => this.#dismiss())}
			<main class="panes" aria-label=${strings.graph}>${picture ? this.#view.element : this.#picture.empty ? beginning(begun, this.#actions) : nothing}${this.#form.element}${this.#popup.element}</main>
			${this.announcer()}`;
	}

	protected override rendered(): void {
		this.#view.show(this.#selection.nodes, this.#preview.picture === undefined);
	}

	#toolbarParts(): ToolbarParts {
		return {
			actions: this.#actions,
			run: this.#run.head,
			empty: this.#picture.empty,
			find: this.#begun && this.#find.view(this.#begun.strings),
			zoom: this.#begun && this.#view.tools(this.#begun.strings),
			post: message => this.post(message),
			undo: type => this.#outbox.ask({ type }),
			toggleAgent: () => this.#form.toggleAgent(() => this.#select([])),
		};
	}

	#dismiss(): void {
		this.#refused = undefined;
		this.#render(false);
		this.#view.focus();
	}
}
