import { html, render } from 'lit';
import type {
	DetailPart,
	FromInspector,
	FromInspectorHost,
	InspectorHead,
	NodeDetail,
	NodesView,
	ShownOutput,
} from '../../workflows/inspector/inspectorProtocol.ts';
import type { InspectorStrings } from '../../workflows/inspector/inspectorStrings.ts';
import type { TimelineRow } from '../../workflows/inspector/timeline.ts';
import { Host } from '../shared/host.ts';
import { detailView } from './detailView.ts';
import { headerView } from './headerView.ts';
import { NodesPane } from './nodesPane.ts';
import { type OutputView, outputsView } from './outputsView.ts';
import { ShownTexts } from './shownTexts.ts';

/** What the page keeps while it is hidden, and over a restart. */
interface Kept {
	key: string;
	selected: string;
	part: DetailPart;
	view: OutputView;
	query: string;
	nodesView: NodesView;
	collapsed: readonly string[];
	scroll: number;
}

/** What the host told so far. */
interface RunState {
	head: InspectorHead;
	rows: Map<string, TimelineRow>;
	text: string;
	outputs: readonly ShownOutput[] | undefined;
	readonly strings: InspectorStrings;
	seq: number;
}

/** How often the time of what runs is shown anew, in milliseconds. */
const tickMs = 200;
/** A row that is passed by with the arrow keys is not asked for. */
const detailDelayMs = 60;

/** The whole inspector: takes the host's messages in, and renders what they change. */
export class InspectorPage {
	readonly #root: HTMLElement;
	readonly #host = new Host<FromInspector, Kept>();
	readonly #nodes: NodesPane;
	readonly #texts = new ShownTexts(
		() => this.#state?.strings,
		text => this.#copy(text),
	);
	#state: RunState | undefined;
	#gone: { title: string; text: string } | undefined;
	#detail: { id: string; detail: NodeDetail } | undefined;
	#detailTimer: number | undefined;
	#part = this.#host.state.part;
	#view = this.#host.state.view;
	#announcement = '';

	constructor(root: HTMLElement) {
		this.#root = root;
		const { collapsed = [], query = '', nodesView } = this.#host.state;
		this.#nodes = new NodesPane(
			{
				selected: () => this.#selected(),
				entered: () => this.#root.querySelector<HTMLElement>('#detail-panel')?.focus(),
				collapsedChanged: collapsed => this.#host.keep({ collapsed }),
				searched: query => {
					this.#host.keep({ query });
					this.#render(false);
				},
				chose: view => this.#showNodes(view),
				graphWanted: () => this.#post({ type: 'graph' }),
			},
			{ collapsed, query, view: nodesView },
		);
		const { element } = this.#nodes.timeline;
		element.addEventListener('scrollend', () => this.#host.keep({ scroll: element.scrollTop }));
	}

	/** Listens to the host and says that the page is there. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<FromInspectorHost>) => this.#receive(data));
		window.setInterval(() => this.#state?.head.live && this.#render(false), tickMs);
		this.#post({ type: 'ready' });
	}

	#post(message: FromInspector): void {
		this.#host.post(message);
	}

	#receive(message: FromInspectorHost): void {
		switch (message.type) {
			case 'snapshot':
				this.#begin(message);
				break;
			case 'changes':
				this.#change(message);
				break;
			case 'outputs':
				if (this.#state) {
					this.#state.outputs = message.outputs;
					this.#view ??= message.outputs.some(({ isText }) => isText) ? 'text' : 'json';
					this.#render(false);
				}
				break;
			case 'detail':
				if (message.id === this.#nodes.selected?.id) {
					this.#detail = { id: message.id, detail: message.detail };
					this.#render(false);
				}
				break;
			case 'graph':
				this.#nodes.take(message);
				this.#render(false);
				break;
			case 'gone':
				this.#gone = message;
				this.#render(false);
		}
	}

	#begin({ seq, head, rows, text, strings, nodesView }: Extract<FromInspectorHost, { type: 'snapshot' }>): void {
		const isFirst = this.#state === undefined;
		this.#state = { seq, head, rows: new Map(rows.map(row => [row.id, row])), text, strings, outputs: this.#state?.outputs };
		this.#host.keep({ key: head.key });
		this.#nodes.begin(nodesView);
		this.#render(true);
		const { selected, scroll } = this.#host.state;
		if (isFirst) {
			this.#nodes.timeline.element.scrollTop = scroll ?? 0;
			const first = selected !== undefined && this.#state.rows.has(selected) ? selected : worthALook(rows)?.id;
			if (first !== undefined) {
				this.#nodes.timeline.select(first, scroll === undefined);
			}
		}
	}

	#change({ seq, head, rows, text }: Extract<FromInspectorHost, { type: 'changes' }>): void {
		const state = this.#state;
		if (!state || seq !== state.seq + 1) {
			this.#post({ type: 'resync' });
			return;
		}
		const ended = state.head.live && !head.live;
		state.seq = seq;
		state.head = head;
		state.text = text ?? state.text;
		for (const row of rows) {
			state.rows.set(row.id, row);
		}
		if (ended) {
			this.#announcement = `${head.agent}: ${state.strings.statuses[head.status] ?? head.status}`;
		}
		this.#render(rows.length > 0);
		if (rows.some(({ id }) => id === this.#nodes.selected?.id)) {
			this.#askForDetail();
		}
	}

	#selected(): void {
		const id = this.#nodes.selected?.id;
		if (id !== undefined) {
			this.#host.keep({ selected: id });
		}
		if (this.#detail?.id !== id) {
			this.#detail = undefined;
			this.#askForDetail();
		}
		this.#render(false);
	}

	#askForDetail(): void {
		clearTimeout(this.#detailTimer);
		this.#detailTimer = window.setTimeout(() => {
			const { selected } = this.#nodes;
			if (selected) {
				this.#post({ type: 'detail', id: selected.id });
			}
		}, detailDelayMs);
	}

	#copy(text: string): void {
		this.#post({ type: 'copy', text });
		this.#announcement = this.#state?.strings.copied ?? '';
		this.#render(false);
	}

	#showNodes(view: NodesView): void {
		this.#host.keep({ nodesView: view });
		this.#post({ type: 'nodesView', view });
		this.#announcement = this.#nodes.toggle.why ?? '';
		this.#render(true);
	}

	#render(rowsChanged: boolean): void {
		if (this.#gone) {
			const { title, text } = this.#gone;
			render(html`<main class="gone"><h1>${title}</h1><p>${text}</p></main>`, this.#root);
			return;
		}
		const state = this.#state;
		if (!state) {
			return;
		}
		const { head, strings, outputs, text } = state;
		this.#nodes.receive(state, rowsChanged);
		const { selected } = this.#nodes;
		const code = (id: string, shown: string, language?: string) => this.#texts.code(id, shown, language);
		const markdown = (id: string, shown: string) => this.#texts.markdown(id, shown, !head.live);
		const post = (message: FromInspector) => this.#post(message);
		const detail = this.#detail?.id === selected?.id ? this.#detail?.detail : undefined;
		render(
			html`${headerView(head, strings, this.#nodes.toggle, post)}
				<main>
					${this.#nodes.view(state, emptyWord(state))}
					${detailView({
						strings,
						row: selected,
						detail,
						part: this.#part ?? (selected?.error ? 'error' : detail?.outputs === undefined ? 'inputs' : 'outputs'),
						live: head.live,
						empty: this.#nodes.idleWord(strings),
						code,
						select: part => {
							this.#part = part;
							this.#host.keep({ part });
							this.#render(false);
						},
					})}
					${outputsView({
						strings,
						outputs,
						text,
						view: this.#view ?? 'text',
						code,
						markdown,
						post,
						select: view => {
							this.#view = view;
							this.#host.keep({ view });
							this.#render(false);
						},
					})}
				</main>
				<div class="forReaders" role="status" aria-live="polite">${this.#announcement}</div>`,
			this.#root,
		);
		this.#nodes.update(state, rowsChanged);
	}
}

/** The row that one wants to see first: the first that failed, else the last on the critical path. */
function worthALook(rows: readonly TimelineRow[]): TimelineRow | undefined {
	return (
		rows.find(({ status }) => status === 'failed') ?? rows.findLast(({ critical, parent }) => critical && parent === undefined) ?? rows[0]
	);
}

/** Why a run has no rows. */
function emptyWord({ head, strings }: RunState): string {
	return head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
}
