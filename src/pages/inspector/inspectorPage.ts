import { html, nothing } from 'lit';
import { getOwnField } from '#base/records/ownField.ts';
import type { RunForm } from '#runs/forms/runForm.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { DetailPane } from './detail/detailPane.ts';
import { OutputsPane } from './detail/outputsPane.ts';
import { FormsPane } from './formsPane.ts';
import { renderInspectorHeader } from './headerView.ts';
import type { FromInspector, FromInspectorHost, InspectorLayout, NodesView } from './inspectorMessages.ts';
import { RunMoments } from './moments/runMoments.ts';
import { RowFollower } from './rowFollower.ts';
import { getEmptyMessage, type KeptState, type ShownRunState } from './runState.ts';
import { ShownTexts } from './shownTexts.ts';
import { renderSplitter } from './splitter.ts';
import { NodesPane } from './timeline/nodesPane.ts';

const initialLayout: InspectorLayout = { columns: 58, rows: 60 };
/** Interval for updating the duration of running nodes, in milliseconds. */
const tickMs = 200;

export class InspectorPage extends Page<FromInspectorHost, FromInspector, KeptState> {
	readonly #nodes: NodesPane;
	readonly #texts = new ShownTexts(
		() => this.#state?.strings,
		text => this.#copyText(text),
	);
	readonly #forms: FormsPane;
	readonly #follower = new RowFollower(id => this.#nodes.timeline.selectRow(id));
	#state: ShownRunState | undefined;
	#gone: { title: string; text: string } | undefined;
	readonly #detail: DetailPane;
	readonly #moments = new RunMoments({
		requestMoments: from => this.postMessage({ type: 'moments', from }),
		onChosen: (moment, isFirst) => {
			this.host.saveFields({ moment });
			if (isFirst) {
				this.#follower.startMoments();
			}
		},
		onShown: () => this.#showMoment(),
	});
	readonly #outputs: OutputsPane;
	#layout = initialLayout;
	/** True if rows changed since the last render. */
	#rowsChanged = false;

	constructor(root: HTMLElement) {
		super(root);
		const { collapsed = [], query = '', nodesView } = this.host.state;
		this.#nodes = new NodesPane(
			{
				onSelected: () => this.#onSelected(),
				onSourceRequested: id => this.postMessage({ type: 'goToSource', node: id }),
				onEntered: () => this.root.querySelector<HTMLElement>('#detail-panel')?.focus(),
				onCollapsedChanged: collapsed => this.host.saveFields({ collapsed }),
				onSearched: query => {
					this.host.saveFields({ query });
					this.#refreshRows(false);
				},
				onViewChosen: view => this.#showNodes(view),
				onGraphRequested: () => this.postMessage({ type: 'graph' }),
			},
			{ collapsed, query, view: nodesView },
		);
		const host = this.host;
		this.#detail = new DetailPane(host.state.part, {
			requestDetail: (id, until) => this.postMessage({ type: 'detail', id, ...(until === undefined ? {} : { until }) }),
			onTabChosen: part => {
				host.saveFields({ part });
				this.#refreshRows(false);
			},
		});
		this.#outputs = new OutputsPane(host.state.view, {
			texts: this.#texts,
			post: message => this.postMessage(message),
			onViewChosen: view => {
				host.saveFields({ view });
				this.#refreshRows(false);
			},
		});
		this.#forms = new FormsPane({
			root,
			keeper: {
				get drafts() {
					return host.state.forms ?? {};
				},
				saveDrafts: forms => host.saveFields({ forms }),
			},
			getMarkdownElement: (id, text) => this.#texts.getMarkdownElement(id, text, true),
			post: message => this.postMessage(message),
		});
		const { element } = this.#nodes.timeline;
		element.addEventListener('scrollend', () => this.host.saveFields({ scroll: element.scrollTop }));
	}

	override start(): void {
		window.setInterval(() => this.#state?.head.live && this.#refreshRows(false), tickMs);
		super.start();
	}

	protected override readonly handlers: Handlers<FromInspectorHost> = {
		snapshot: message => this.#onSnapshot(message),
		changes: message => this.#onChanges(message),
		outputs: message => {
			if (this.#state) {
				this.#state.outputs = message.outputs;
				this.#refreshRows(false);
			}
		},
		detail: message => {
			if (this.#detail.receiveDetail(message)) {
				this.#refreshRows(false);
			}
		},
		moments: message => this.#moments.receiveMoments(message, this.#state?.head.key),
		forms: message => this.#onForms(message.forms),
		formProblem: message => this.#forms.applyFormNews(message),
		formFiles: message => this.#forms.applyFormNews(message),
		focusForm: () => this.#forms.focus(),
		graph: message => {
			this.#nodes.setGraph(message);
			this.#refreshRows(false);
		},
		gone: message => {
			this.#gone = message;
			this.#refreshRows(false);
		},
	};

	#onSnapshot({
		seq,
		head,
		rows,
		text,
		strings,
		nodesView,
		layout = this.#layout,
	}: Extract<FromInspectorHost, { type: 'snapshot' }>): void {
		const isAnother = (this.#state?.head.key ?? this.host.state.key ?? head.key) !== head.key || this.#gone !== undefined;
		const isFirst = this.#state === undefined || isAnother;
		const before = this.#nodes.selected?.nodeId;
		if (isAnother) {
			this.#clearPage();
		}
		this.#state = { seq, head, rows: new Map(rows.map(row => [row.id, row])), text, strings, outputs: this.#state?.outputs };
		this.host.saveFields({ key: head.key, kept: head.kept });
		this.#nodes.setInitialView(nodesView);
		this.#layout = layout;
		this.#refreshRows(true);
		const { selected, scroll, moment } = this.host.state;
		if (isFirst) {
			this.#moments.restoreMoment(moment, head.moments);
			this.#nodes.timeline.element.scrollTop = scroll ?? 0;
			if (selected !== undefined && this.#state.rows.has(selected)) {
				this.#nodes.timeline.selectRow(selected, scroll === undefined);
			} else {
				this.#follower.startRun(before);
				this.#follower.followRows(rows, head.live);
			}
		}
	}

	/** Clears the page for another run, including the user's selections. */
	#clearPage(): void {
		this.#state = undefined;
		this.#gone = undefined;
		this.#detail.clear();
		this.#moments.clear();
		this.host.saveFields({ selected: undefined, scroll: undefined, moment: undefined, query: '', collapsed: [] });
		this.#nodes.clear();
		this.#forms.receiveForms([]);
	}

	#onChanges({ seq, head, rows, text, textAdded }: Extract<FromInspectorHost, { type: 'changes' }>): void {
		const state = this.#state;
		if (!state || seq !== state.seq + 1) {
			this.postMessage({ type: 'resync' });
			return;
		}
		const ended = state.head.live && !head.live;
		state.seq = seq;
		state.head = head;
		this.host.saveFields({ kept: head.kept });
		state.text = text ?? state.text + (textAdded ?? '');
		this.#moments.onTextChanged(text !== undefined);
		for (const row of rows) {
			state.rows.set(row.id, row);
		}
		if (ended) {
			this.announcement = `${head.agent}: ${getOwnField(state.strings.statuses, head.status) ?? head.status}`;
		}
		this.#refreshRows(rows.length > 0);
		if (this.#moments.chosen === undefined) {
			this.#follower.followRows([...state.rows.values()], head.live);
			this.#detail.onRowsChanged(rows);
		}
	}

	/** Shows the chosen moment, and the node that it's about. */
	#showMoment(): void {
		this.#refreshRows(true);
		const moment = this.#state && this.#moments.applyMoment(this.#state).moment;
		this.#detail.showMoment(moment?.place);
		this.#follower.followMoment(moment?.row?.id);
	}

	#onForms(forms: readonly RunForm[]): void {
		const { came, gone } = this.#forms.receiveForms(forms);
		const { formStrings, statuses } = this.#state?.strings ?? {};
		this.announcement = came.length > 0 ? `${came.join(', ')}: ${statuses?.['paused'] ?? ''}` : gone ? (formStrings?.sent ?? '') : '';
		this.#refreshRows(false);
	}

	#onSelected(): void {
		this.#follower.onSelected();
		const id = this.#nodes.selected?.id;
		if (id !== undefined) {
			this.host.saveFields({ selected: id });
		}
		this.#detail.showRow(this.#nodes.selected);
		this.#refreshRows(false);
	}

	#renderSplitter(between: keyof InspectorLayout, label: string): unknown {
		const onMoved = (share: number, done: boolean) => {
			this.#layout = { ...this.#layout, [between]: share };
			if (done) {
				this.postMessage({ type: 'layout', layout: this.#layout });
			}
			this.#refreshRows(false);
		};
		return renderSplitter({ label, between, share: this.#layout[between], onMoved }, initialLayout[between]);
	}

	#copyText(text: string): void {
		this.postMessage({ type: 'copy', text });
		this.announcement = this.#state?.strings.copied ?? '';
		this.#refreshRows(false);
	}

	#showNodes(view: NodesView): void {
		this.host.saveFields({ nodesView: view });
		this.postMessage({ type: 'nodesView', view });
		this.announcement = this.#nodes.toggle.why ?? '';
		this.#refreshRows(true);
	}

	#refreshRows(rowsChanged: boolean): void {
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
		const shown = this.#moments.applyMoment(state);
		this.#nodes.setRun(shown, this.#rowsChanged);
		// the panes stay where they are while the user moves through the run
		const hasOutputs = text !== '' || (outputs !== undefined && outputs.length > 0);
		return html`${renderInspectorHeader(head, strings, this.#nodes.toggle, message => this.postMessage(message))}
			${this.#forms.render(head.waits, strings)}
			<main style="--columns: ${this.#layout.columns}%">
				${this.#nodes.render(shown, getEmptyMessage(shown), this.#moments.render(shown))}
				${this.#renderSplitter('columns', strings.splitColumns)}
				<div class="side" style="--rows: ${this.#layout.rows}%">
				${this.#renderDetail(shown)}
				${hasOutputs ? this.#renderSplitter('rows', strings.splitRows) : nothing}
				${hasOutputs ? this.#outputs.render(shown) : nothing}
				</div>
			</main>
			${this.renderAnnouncer()}`;
	}

	#renderDetail(state: ShownRunState): unknown {
		const { selected, toggle } = this.#nodes;
		const node = toggle.why === undefined ? selected?.nodeId : undefined;
		return this.#detail.render(state, {
			row: selected,
			empty: this.#nodes.getNoRowMessage(state.strings),
			code: (id, shown, language) => this.#texts.getCodeElement(id, shown, language),
			onNode: action => this.postMessage({ type: 'node', action, row: selected?.id ?? '' }),
			goToSource: node === undefined ? undefined : () => this.postMessage({ type: 'goToSource', node }),
		});
	}

	protected override onRendered(): void {
		if (this.#state && !this.#gone) {
			this.#nodes.updateView(this.#moments.applyMoment(this.#state), this.#rowsChanged);
		}
	}
}
