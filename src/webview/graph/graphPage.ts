import { html, nothing, render } from 'lit';
import type { NodeFormStrings } from '../../graph/forms/nodeFormStrings.ts';
import type { FromGraph, FromGraphHost, ShownRun } from '../../graph/graphProtocol.ts';
import type { AgentPicture, DrawnEdge } from '../../graph/graphTypes.ts';
import { isInnerStart } from '../../graph/layout/cardSize.ts';
import { ownField } from '../../runEvents/ownField.ts';
import type { TimelineRow } from '../../runEvents/timeline.ts';
import { fill } from '../shared/fill.ts';
import { Host } from '../shared/host.ts';
import { statusIcon } from '../shared/statusIcon.ts';
import { FindBar } from './findBar.ts';
import { NodeFormPane } from './form/nodeFormPane.ts';
import { GraphActions } from './gestures/graphActions.ts';
import { gestureKey } from './gestures/graphKeys.ts';
import { PointerGestures } from './gestures/pointerGestures.ts';
import { Popup } from './gestures/popup.ts';
import { GraphView, nodeAt, sameEdge } from './graphView.ts';
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
	/** As a gesture has it, until the host tells what came of that. */
	#preview: AgentPicture | undefined;
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
				this.#preview = picture;
				this.#render(false);
			},
			moved: nodes => this.#actions.edit({ do: 'move', nodes }),
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
				this.#host.keep({ uri: message.uri });
				break;
			case 'picture':
				this.#takePicture(message);
				return;
			case 'faults':
				this.#faults = new Map(message.faults);
				break;
			case 'select':
				this.#selected = message.nodes;
				this.#host.keep({ selected: message.nodes });
				if (message.made) {
					this.#view.focus();
				}
				break;
			case 'refused':
				this.#refused = message.sentence;
				this.#preview = undefined;
				break;
			case 'run':
				this.#takeRun(message);
				return;
			case 'form':
				this.#form?.receive(message.form);
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

	#takePicture({ picture, stale, empty }: Extract<FromGraphHost, { type: 'picture' }>): void {
		this.#preview = undefined;
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
		const command = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (command && key === 'a') {
			this.#select(this.#picture?.nodes.filter(node => !isInnerStart(node)).map(({ id }) => id) ?? []);
			return true;
		}
		if (command && (key === 'z' || key === 'y') && this.#begun?.undoKeys) {
			this.#post({ type: key === 'y' || event.shiftKey ? 'redo' : 'undo' });
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
		const { strings } = begun;
		const picture = this.#preview ?? this.#picture;
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
			html`${this.#toolbar(begun)}
				${this.#stale === undefined ? nothing : html`<p class="stale" role="status"><span class="codicon codicon-warning" aria-hidden="true"></span>${this.#stale}</p>`}
				${
					this.#refused === undefined
						? nothing
						: html`<p class="refused" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span><span class="grow">${this.#refused}</span>${this.#button('close', strings.dismiss, () => this.#dismiss())}</p>`
				}
				<main class="panes" aria-label=${strings.graph}>${picture ? this.#view.element : this.#empty ? this.#beginning(begun) : nothing}${this.#formPane}${this.#popup.element}</main>
				<div class="forReaders" role="status" aria-live="polite">${this.#announcement}</div>`,
			this.#root,
		);
		this.#view.show(this.#selected, this.#preview === undefined);
	}

	/** What there is to do in an empty file. */
	#beginning({ strings, editable, file }: Begun): unknown {
		const name = file.replace(/\.ya?ml$/, '');
		const button = (mode: 'workflow' | 'advanced-chat', label: string, help: string) =>
			html`<button type="button" aria-describedby="help-${mode}" @click=${() => this.#actions.edit({ do: 'begin', mode, name })}>${label}</button><p class="dim" id="help-${mode}">${help}</p>`;
		return html`<section class="beginning"><h2>${strings.emptyFile}</h2>
			${editable ? html`<p>${strings.beginWith}</p>${button('workflow', strings.workflow, strings.workflowHelp)}${button('advanced-chat', strings.chatflow, strings.chatflowHelp)}` : nothing}</section>`;
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
			edit: operation => this.#post({ type: 'edit', operation }),
			typed: operation => this.#post({ type: 'typed', operation }),
			openCode: (node, path) => this.#post({ type: 'openField', node, path: [...path] }),
			undo: () => this.#post({ type: 'undo' }),
			redo: () => this.#post({ type: 'redo' }),
			leave: () => this.#view.focus(),
		});
	}

	#toolbar({ strings, editable: isWritable, undoKeys }: Begun): unknown {
		const run = this.#run;
		const editable = isWritable && !this.#empty;
		return html`<header class="toolbar" role="toolbar" aria-label=${strings.edit}>
			${editable ? [this.#button('add', strings.add, () => this.#actions.addHere()), this.#button('layout', strings.arrange, () => this.#actions.edit({ do: 'arrange' })), this.#button('symbol-variable', strings.agentForm, () => this.#toggleAgent())] : nothing}
			${undoKeys && editable ? [this.#button('discard', strings.undo, () => this.#post({ type: 'undo' })), this.#button('redo', strings.redo, () => this.#post({ type: 'redo' }))] : nothing}
			${this.#find.view(strings)}
			<span class="grow"></span>
			${
				run
					? html`<span class="runWords"><span class=${statusIcon(run.status)} aria-hidden="true"></span>${run.label} ${ownField(strings.statuses, run.status) ?? run.status}</span>${this.#button('list-tree', strings.inspectRun, () => this.#post({ type: 'inspectRun' }))}${this.#button('close', strings.leaveRun, () => this.#post({ type: 'leaveRun' }))}`
					: nothing
			}
			${this.#button('export', strings.export, () => this.#post({ type: 'export' }))}
			${this.#button('history', strings.runs, () => this.#post({ type: 'pickRun' }))}
			${this.#view.tools(strings)}
			${this.#button('go-to-file', strings.openText, () => this.#post({ type: 'openText' }))}
		</header>`;
	}

	#button(icon: string, label: string, act: () => void): unknown {
		return html`<button type="button" class="iconButton" title=${label} aria-label=${label} @click=${act}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
	}

	#dismiss(): void {
		this.#refused = undefined;
		this.#render(false);
		this.#view.focus();
	}
}
