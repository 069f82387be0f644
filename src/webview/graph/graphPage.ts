import { html, nothing, render } from 'lit';
import type { NodeFormStrings } from '../../graph/forms/nodeFormStrings.ts';
import type { FromGraph, FromGraphHost, ShownRun } from '../../graph/graphProtocol.ts';
import type { AgentPicture, DrawnEdge } from '../../graph/graphTypes.ts';
import { isInnerStart } from '../../graph/layout/cardSize.ts';
import { ownField } from '../../runEvents/ownField.ts';
import type { TimelineRow } from '../../runEvents/timeline.ts';
import { fill } from '../shared/fill.ts';
import { Host } from '../shared/host.ts';
import { FindBar } from './findBar.ts';
import { NodeFormPane } from './form/nodeFormPane.ts';
import { followPresses, pressOver } from './form/press.ts';
import { GraphActions } from './gestures/graphActions.ts';
import { gestureKey } from './gestures/graphKeys.ts';
import { PointerGestures } from './gestures/pointerGestures.ts';
import { Popup } from './gestures/popup.ts';
import { TypeAhead } from './gestures/typeAhead.ts';
import { beginning, graphToolbar, iconButton, type ToolbarParts } from './graphToolbar.ts';
import { GraphView, nodeAt, sameEdge } from './graphView.ts';
import { Outbox } from './outbox.ts';
import { pngOf } from './pngOf.ts';

/** What the page keeps while it is hidden, and over a restart. */
interface Kept {
	/** The host reads it when the panel comes back. */
	uri: string;
	selected: readonly string[];
}

type Begun = Extract<FromGraphHost, { type: 'begin' }>;

/** How often the time of what runs is shown anew, in milliseconds. */
const tickMs = 200;

/** The page of an agent file's graph. It holds no truth of its own: what the text has comes from the host, and what is done goes there. */
export class GraphPage {
	readonly #root: HTMLElement;
	readonly #host = new Host<FromGraph, Kept>();
	readonly #view: GraphView;
	readonly #find: FindBar;
	#form: NodeFormPane | undefined;
	#begun: Begun | undefined;
	/** As the host told it last. */
	#picture: AgentPicture | undefined;
	readonly #outbox = new Outbox(message => this.#post(message));
	readonly #typeAhead = new TypeAhead(
		() => this.#outbox.waits,
		() => this.#view.canvas,
	);
	/** As a gesture has it, until the host tells what came of that: of what was asked for as `by`, once it was asked for. */
	#preview: { readonly picture: AgentPicture; readonly by?: number } | undefined;
	/** What was asked for when the user selected something last. */
	#selectedAfter = 0;
	#isLate = false;
	#edge: DrawnEdge | undefined;
	/** Fields of the selected node stand here. */
	readonly #formPane = document.createElement('aside');
	readonly #popup = new Popup(() => this.#view.focus());
	readonly #actions: GraphActions;
	readonly #gestures: PointerGestures;
	#stale: string | undefined;
	/** The file holds nothing yet. */
	#empty = false;
	/** The form that comes next gets the focus: that of the agent was asked for. */
	#formAsked = false;
	#isAgentShown = false;
	#refused: string | undefined;
	#faults: ReadonlyMap<string, readonly string[]> = new Map();
	#run: ShownRun | undefined;
	#rows = new Map<string, TimelineRow>();
	#selected: readonly string[] = this.#host.state.selected ?? [];
	#announcement = '';

	constructor(root: HTMLElement) {
		this.#root = root;
		this.#view = new GraphView({
			selected: (id, more) => this.#select(more ? [...this.#selected.filter(each => each !== id), id] : [id]),
			entered: node => this.#post({ type: 'reveal', node }),
			key: event => this.#key(event),
			pointer: event => this.#isEditable && this.#gestures.begin(event),
			edge: edge => this.#chooseEdge(edge),
			menu: event => this.#menu(event),
		});
		this.#actions = new GraphActions({
			view: this.#view,
			popup: this.#popup,
			post: message => this.#post(message),
			ask: doing => this.#outbox.ask(doing),
			picture: () => this.#picture,
			selected: () => this.#selected,
			strings: () => (this.#begun as Begun).strings,
			kinds: () => this.#begun?.kinds ?? [],
			agentForm: () => this.#toggleAgent(),
		});
		this.#gestures = new PointerGestures(this.#view, {
			picture: () => this.#picture,
			selected: () => this.#selected,
			select: nodes => this.#select(nodes),
			preview: picture => {
				this.#preview = picture && { picture };
				this.#render(false);
			},
			moved: (nodes, picture) => {
				this.#preview = { picture, by: this.#actions.edit({ do: 'move', nodes }) };
			},
			connected: (from, target) => this.#actions.edit({ do: 'connect', from, target }),
			exitChosen: (behind, at) => this.#actions.add({ behind }, at),
		});
		this.#formPane.className = 'formPane';
		this.#formPane.hidden = true;
		this.#find = new FindBar({
			found: () => this.#render(false),
			go: id => {
				this.#select([id]);
				this.#view.reveal(id);
			},
			left: () => this.#view.focus(),
		});
	}

	/** Listens to the host and says that the page is there. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<FromGraphHost>) => this.#receive(data));
		window.addEventListener('keydown', event => this.#pageKey(event));
		followPresses(window, '.canvas');
		window.setInterval(() => this.#run?.live && this.#render(false), tickMs);
		this.#post({ type: 'ready' });
	}

	#post(message: FromGraph): void {
		this.#host.post(message);
	}

	#receive(message: FromGraphHost): void {
		switch (message.type) {
			case 'begin':
				this.#begun = message;
				this.#form ??= this.#formOf(message.formStrings);
				this.#outbox.begin(message.seq);
				this.#host.keep({ uri: message.uri });
				break;
			case 'picture':
				this.#takePicture(message);
				return;
			case 'faults':
				this.#faults = new Map(message.faults);
				break;
			case 'select':
				this.#takeSelection(message);
				break;
			case 'refused':
				this.#refused = message.sentence;
				break;
			case 'done':
				this.#takeDone(message.seq);
				return;
			case 'run':
				this.#takeRun(message);
				return;
			case 'form':
				this.#form?.receive(message.form, message.done);
				this.#outbox.form = message.revision;
				this.#isAgentShown = message.form !== undefined && message.form.node === undefined;
				if (this.#formAsked && this.#isAgentShown) {
					this.#formAsked = false;
					this.#form?.focus();
				}
				break;
			case 'rasterize':
				void pngOf(message).then(png => this.#post({ type: 'rasterized', png }));
				return;
		}
		this.#render(false);
	}

	/** What the user selected since the host was asked for what these come of stays selected, and a field that is typed in keeps the focus. */
	#takeSelection({ nodes, by }: Extract<FromGraphHost, { type: 'select' }>): void {
		if (by !== undefined && by <= this.#selectedAfter) {
			return;
		}
		this.#selected = nodes;
		this.#host.keep({ selected: nodes });
		if (by !== undefined && !document.activeElement?.matches('input, textarea, select')) {
			this.#view.focus();
		}
	}

	#takeDone(seq: number): void {
		this.#outbox.answered(seq);
		this.#form?.answered(seq);
		if (this.#preview?.by !== undefined && this.#preview.by <= seq) {
			this.#preview = undefined;
		}
		this.#render(false);
		this.#typeAhead.replay();
	}

	#takePicture({ picture, stale, empty, done }: Extract<FromGraphHost, { type: 'picture' }>): void {
		// what was dropped stays where it was dropped, until the file has it there
		if (this.#preview?.by === undefined || this.#preview.by <= done) {
			this.#preview = undefined;
		}
		this.#refused = undefined;
		if (picture) {
			this.#picture = picture;
			this.#edge = picture.edges.find(edge => sameEdge(edge, this.#edge));
			const known = new Set(picture.nodes.map(({ id }) => id));
			this.#selected = this.#selected.filter(id => known.has(id));
			this.#find.take(picture);
		} else if (empty) {
			this.#picture = undefined;
			this.#selected = [];
		}
		const isEmptyNow = empty && !this.#empty;
		this.#empty = empty;
		this.#stale = stale;
		if (!this.#isEditable) {
			this.#gestures.cancel();
		}
		this.#render(true);
		if (isEmptyNow) {
			this.#root.querySelector<HTMLElement>('.beginning button')?.focus();
		}
	}

	#takeRun({ head, rows, anew }: Extract<FromGraphHost, { type: 'run' }>): void {
		if (anew) {
			this.#rows = new Map();
		}
		for (const row of rows) {
			this.#rows.set(row.id, row);
		}
		if (this.#run?.live && head && !head.live) {
			this.#announcement = ownField(this.#begun?.strings.statuses ?? {}, head.status) ?? head.status;
		}
		this.#run = head;
		this.#render(true);
	}

	#select(nodes: readonly string[]): void {
		this.#selected = nodes;
		this.#selectedAfter = this.#outbox.last;
		this.#edge = undefined;
		this.#host.keep({ selected: nodes });
		this.#post({ type: 'select', nodes });
		this.#announcement = nodes.length > 1 ? fill(this.#begun?.strings.selectedMany ?? '', nodes.length) : '';
		this.#render(false);
	}

	get #isEditable(): boolean {
		return this.#begun?.editable === true && this.#stale === undefined && !this.#empty;
	}

	#chooseEdge(edge: DrawnEdge | undefined): void {
		if (edge || this.#selected.length > 0 || this.#edge || this.#isAgentShown) {
			this.#select([]);
			this.#edge = edge;
			this.#announcement = edge ? this.#actions.edgeName(edge) : '';
			this.#render(false);
		}
	}

	#menu(event: MouseEvent): void {
		event.preventDefault();
		if (!this.#isEditable) {
			return;
		}
		this.#gestures.cancel();
		const at = { x: event.clientX, y: event.clientY };
		const edge = this.#view.edgeAt(event);
		if (edge) {
			this.#chooseEdge(edge);
			this.#actions.edgeMenu(edge, at);
			return;
		}
		const id = nodeAt(event);
		if (id === undefined || !this.#selected.includes(id)) {
			this.#select(id === undefined ? [] : [id]);
		}
		this.#actions.menu(at);
	}

	/** Keys of the whole page. */
	#pageKey(event: KeyboardEvent): void {
		if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'f') {
			event.preventDefault();
			this.#find.focus();
		}
	}

	/** Keys of the graph. */
	#key(event: KeyboardEvent): boolean {
		if (this.#typeAhead.keep(event)) {
			return true;
		}
		const command = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (command && key === 'a') {
			this.#select(this.#picture?.nodes.filter(node => !isInnerStart(node)).map(({ id }) => id) ?? []);
			return true;
		}
		if (command && (key === 'z' || key === 'y') && this.#begun?.undoKeys) {
			this.#outbox.ask({ type: key === 'y' || event.shiftKey ? 'redo' : 'undo' });
			return true;
		}
		if (event.key === 'Escape') {
			this.#gestures.cancel();
			this.#chooseEdge(undefined);
			return true;
		}
		if (!this.#isEditable) {
			return false;
		}
		if (this.#edge && (key === 'delete' || key === 'backspace')) {
			this.#actions.cut(this.#edge);
			return true;
		}
		return gestureKey(event, this.#actions);
	}

	#render(runChanged: boolean): void {
		const begun = this.#begun;
		if (!begun) {
			return;
		}
		const over = pressOver();
		if (over) {
			// nothing moves under a pointer that is down
			if (!this.#isLate) {
				this.#isLate = true;
				void over.then(() => {
					this.#isLate = false;
					this.#render(true);
				});
			}
			return;
		}
		const { strings } = begun;
		const picture = this.#preview?.picture ?? this.#picture;
		if (picture) {
			const head = this.#run;
			const run = head && {
				rows: this.#rows.values(),
				live: head.live,
				status: head.status,
				now: () => (head.live ? Date.now() - head.waitedMs : undefined),
			};
			this.#view.take(
				{ picture, words: strings, run, faults: this.#faults, found: this.#find.found, editable: this.#isEditable, edge: this.#edge },
				runChanged,
			);
		}
		render(
			html`${graphToolbar(begun, this.#toolbarParts())}
				${this.#stale === undefined ? nothing : html`<p class="stale" role="status"><span class="codicon codicon-warning" aria-hidden="true"></span>${this.#stale}</p>`}
				${
					this.#refused === undefined
						? nothing
						: html`<p class="refused" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span><span class="grow">${this.#refused}</span>${iconButton('close', strings.dismiss, () => this.#dismiss())}</p>`
				}
				<main class="panes" aria-label=${strings.graph}>${picture ? this.#view.element : this.#empty ? beginning(begun, this.#actions) : nothing}${this.#formPane}${this.#popup.element}</main>
				<div class="forReaders" role="status" aria-live="polite">${this.#announcement}</div>`,
			this.#root,
		);
		this.#view.show(this.#selected, this.#preview === undefined);
	}

	/** Shows the fields of the agent itself, or hides them again. */
	#toggleAgent(): void {
		this.#formAsked = !this.#isAgentShown;
		this.#select([]);
		if (this.#formAsked) {
			this.#post({ type: 'agentForm' });
		}
	}

	#formOf(strings: NodeFormStrings): NodeFormPane {
		this.#formPane.ariaLabel = strings.fields;
		return new NodeFormPane(this.#formPane, {
			strings,
			edit: operation => this.#outbox.ask({ type: 'edit', operation }),
			typed: operation => this.#outbox.ask({ type: 'typed', operation }),
			openCode: (node, path) => this.#post({ type: 'openField', node, path: [...path] }),
			undo: () => this.#outbox.ask({ type: 'undo' }),
			redo: () => this.#outbox.ask({ type: 'redo' }),
			leave: () => this.#view.focus(),
		});
	}

	#toolbarParts(): ToolbarParts {
		return {
			actions: this.#actions,
			run: this.#run,
			empty: this.#empty,
			find: this.#begun && this.#find.view(this.#begun.strings),
			zoom: this.#begun && this.#view.tools(this.#begun.strings),
			post: message => this.#post(message),
			undo: type => this.#outbox.ask({ type }),
			toggleAgent: () => this.#toggleAgent(),
		};
	}

	#dismiss(): void {
		this.#refused = undefined;
		this.#render(false);
		this.#view.focus();
	}
}
