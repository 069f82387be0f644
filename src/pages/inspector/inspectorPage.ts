import { html, nothing } from 'lit';
import { ownField } from '#base/records/ownField.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { FormDraft } from '../shared/form/formDraft.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { DetailPane } from './detail/detailPane.ts';
import { type OutputView, outputsView } from './detail/outputsView.ts';
import { FormsPane } from './formsPane.ts';
import { headerView } from './headerView.ts';
import type { DetailTab, FromInspector, FromInspectorHost, InspectorLayout, NodesView } from './inspectorMessages.ts';
import { emptyMessage, rowToShow, type ShownRunState } from './runState.ts';
import { ShownTexts } from './shownTexts.ts';
import { splitterView } from './splitter.ts';
import { NodesPane } from './timeline/nodesPane.ts';

/** What the page keeps while it is hidden, and over a restart. */
interface Kept {
	key: string;
	/** The host reads it when the panel comes back. */
	kept: boolean;
	selected: string;
	part: DetailTab;
	view: OutputView;
	query: string;
	nodesView: NodesView;
	collapsed: readonly string[];
	scroll: number;
	/** What is filled into forms, by their IDs. */
	forms: Readonly<Record<string, FormDraft>>;
}

/** How panes are laid out until somebody moves their borders. */
const initialLayout: InspectorLayout = { columns: 58, rows: 60 };
/** How often the time of what runs is shown anew, in milliseconds. */
const tickMs = 200;

/** The page of a run's inspector. */
export class InspectorPage extends Page<FromInspectorHost, FromInspector, Kept> {
	readonly #nodes: NodesPane;
	readonly #texts = new ShownTexts(
		() => this.#state?.strings,
		text => this.#copy(text),
	);
	readonly #forms: FormsPane;
	#state: ShownRunState | undefined;
	#gone: { title: string; text: string } | undefined;
	readonly #detail: DetailPane;
	#outputView = this.host.state.view;
	#layout = initialLayout;
	/** Rows changed since the last render. */
	#rowsChanged = false;

	constructor(root: HTMLElement) {
		super(root);
		const { collapsed = [], query = '', nodesView } = this.host.state;
		this.#nodes = new NodesPane(
			{
				selected: () => this.#selected(),
				source: id => this.post({ type: 'goToSource', node: id }),
				entered: () => this.root.querySelector<HTMLElement>('#detail-panel')?.focus(),
				collapsedChanged: collapsed => this.host.save({ collapsed }),
				searched: query => {
					this.host.save({ query });
					this.#render(false);
				},
				chose: view => this.#showNodes(view),
				graphWanted: () => this.post({ type: 'graph' }),
			},
			{ collapsed, query, view: nodesView },
		);
		const host = this.host;
		this.#detail = new DetailPane(host.state.part, {
			ask: id => this.post({ type: 'detail', id }),
			chose: part => {
				host.save({ part });
				this.#render(false);
			},
		});
		this.#forms = new FormsPane({
			root,
			keeper: {
				get drafts() {
					return host.state.forms ?? {};
				},
				keep: forms => host.save({ forms }),
			},
			markdown: (id, text) => this.#texts.markdown(id, text, true),
			post: message => this.post(message),
		});
		const { element } = this.#nodes.timeline;
		element.addEventListener('scrollend', () => this.host.save({ scroll: element.scrollTop }));
	}

	override start(): void {
		window.setInterval(() => this.#state?.head.live && this.#render(false), tickMs);
		super.start();
	}

	protected override readonly handlers: Handlers<FromInspectorHost> = {
		snapshot: message => this.#begin(message),
		changes: message => this.#change(message),
		outputs: message => {
			if (this.#state) {
				this.#state.outputs = message.outputs;
				this.#outputView ??= message.outputs.some(({ isText }) => isText) ? 'text' : 'json';
				this.#render(false);
			}
		},
		detail: message => {
			if (this.#detail.take(message)) {
				this.#render(false);
			}
		},
		forms: message => this.#takeForms(message.forms),
		formProblem: message => this.#forms.take(message),
		formFiles: message => this.#forms.take(message),
		focusForm: () => this.#forms.focus(),
		graph: message => {
			this.#nodes.take(message);
			this.#render(false);
		},
		gone: message => {
			this.#gone = message;
			this.#render(false);
		},
	};

	#begin({ seq, head, rows, text, strings, nodesView, layout = this.#layout }: Extract<FromInspectorHost, { type: 'snapshot' }>): void {
		const isAnother = (this.#state?.head.key ?? this.host.state.key ?? head.key) !== head.key || this.#gone !== undefined;
		const isFirst = this.#state === undefined || isAnother;
		const before = this.#nodes.selected?.nodeId;
		if (isAnother) {
			this.#leave();
		}
		this.#state = { seq, head, rows: new Map(rows.map(row => [row.id, row])), text, strings, outputs: this.#state?.outputs };
		this.host.save({ key: head.key, kept: head.kept });
		this.#nodes.begin(nodesView);
		this.#layout = layout;
		this.#render(true);
		const { selected, scroll } = this.host.state;
		if (isFirst) {
			this.#nodes.timeline.element.scrollTop = scroll ?? 0;
			const first = selected !== undefined && this.#state.rows.has(selected) ? selected : rowToShow(rows, before)?.id;
			if (first !== undefined) {
				this.#nodes.timeline.select(first, scroll === undefined);
			}
		}
	}

	/** Another run takes this one's place: what was chosen in this one goes with it. */
	#leave(): void {
		this.#state = undefined;
		this.#gone = undefined;
		this.#detail.leave();
		this.host.save({ selected: undefined, scroll: undefined, query: '', collapsed: [] });
		this.#nodes.leave();
		this.#forms.receive([]);
	}

	#change({ seq, head, rows, text, textAdded }: Extract<FromInspectorHost, { type: 'changes' }>): void {
		const state = this.#state;
		if (!state || seq !== state.seq + 1) {
			this.post({ type: 'resync' });
			return;
		}
		const ended = state.head.live && !head.live;
		state.seq = seq;
		state.head = head;
		this.host.save({ kept: head.kept });
		state.text = text ?? state.text + (textAdded ?? '');
		for (const row of rows) {
			state.rows.set(row.id, row);
		}
		if (ended) {
			this.announcement = `${head.agent}: ${ownField(state.strings.statuses, head.status) ?? head.status}`;
		}
		this.#render(rows.length > 0);
		const first = ended && this.#nodes.timeline.selected === undefined ? rowToShow([...state.rows.values()])?.id : undefined;
		if (first !== undefined) {
			this.#nodes.timeline.select(first);
		}
		this.#detail.changed(rows);
	}

	#takeForms(forms: readonly RunForm[]): void {
		const { came, gone } = this.#forms.receive(forms);
		const { formStrings, statuses } = this.#state?.strings ?? {};
		this.announcement = came.length > 0 ? `${came.join(', ')}: ${statuses?.['paused'] ?? ''}` : gone ? (formStrings?.sent ?? '') : '';
		this.#render(false);
	}

	#selected(): void {
		const id = this.#nodes.selected?.id;
		if (id !== undefined) {
			this.host.save({ selected: id });
		}
		this.#detail.show(this.#nodes.selected);
		this.#render(false);
	}

	#splitter(between: keyof InspectorLayout, label: string): unknown {
		const moved = (share: number, done: boolean) => {
			this.#layout = { ...this.#layout, [between]: share };
			if (done) {
				this.post({ type: 'layout', layout: this.#layout });
			}
			this.#render(false);
		};
		return splitterView({ label, between, share: this.#layout[between], moved }, initialLayout[between]);
	}

	#copy(text: string): void {
		this.post({ type: 'copy', text });
		this.announcement = this.#state?.strings.copied ?? '';
		this.#render(false);
	}

	#showNodes(view: NodesView): void {
		this.host.save({ nodesView: view });
		this.post({ type: 'nodesView', view });
		this.announcement = this.#nodes.toggle.why ?? '';
		this.#render(true);
	}

	#render(rowsChanged: boolean): void {
		this.#rowsChanged = rowsChanged;
		this.render();
	}

	protected override renderPage(): unknown {
		if (this.#gone) {
			const { title, text } = this.#gone;
			return html`<main class="gone"><h1>${title}</h1><p>${text}</p></main>`;
		}
		const state = this.#state;
		if (!state) {
			return undefined;
		}
		const { head, strings, outputs, text } = state;
		this.#nodes.receive(state, this.#rowsChanged);
		const hasOutputs = text !== '' || (outputs !== undefined && outputs.length > 0);
		return html`${headerView(head, strings, this.#nodes.toggle, message => this.post(message))}
			${this.#forms.view(head.waits, strings)}
			<main style="--columns: ${this.#layout.columns}%">
				${this.#nodes.view(state, emptyMessage(state))}
				${this.#splitter('columns', strings.splitColumns)}
				<div class="side" style="--rows: ${this.#layout.rows}%">
				${this.#detailView(state)}
				${hasOutputs ? this.#splitter('rows', strings.splitRows) : nothing}
				${hasOutputs ? this.#outputsView(state) : nothing}
				</div>
			</main>
			${this.renderAnnouncer()}`;
	}

	#detailView(state: ShownRunState): unknown {
		const { selected, toggle } = this.#nodes;
		const node = toggle.why === undefined ? selected?.nodeId : undefined;
		return this.#detail.view(state, {
			row: selected,
			empty: this.#nodes.idleWord(state.strings),
			code: (id, shown, language) => this.#texts.code(id, shown, language),
			onNode: action => this.post({ type: 'node', action, row: selected?.id ?? '' }),
			goToSource: node === undefined ? undefined : () => this.post({ type: 'goToSource', node }),
		});
	}

	#outputsView({ head, strings, outputs, text }: ShownRunState): unknown {
		return outputsView({
			strings,
			outputs,
			text,
			view: this.#outputView ?? 'text',
			code: (id, shown) => this.#texts.code(id, shown),
			markdown: (id, shown) => this.#texts.markdown(id, shown, !head.live),
			post: message => this.post(message),
			select: view => {
				this.#outputView = view;
				this.host.save({ view });
				this.#render(false);
			},
		});
	}

	protected override onRendered(): void {
		if (this.#state && !this.#gone) {
			this.#nodes.update(this.#state, this.#rowsChanged);
		}
	}
}
