import { html, nothing, render } from 'lit';
import type {
	DetailPart,
	FromInspector,
	FromInspectorHost,
	InspectorHead,
	NodeDetail,
	ShownOutput,
} from '../../workflows/inspector/inspectorProtocol.ts';
import type { InspectorStrings } from '../../workflows/inspector/inspectorStrings.ts';
import type { TimelineRow } from '../../workflows/inspector/timeline.ts';
import { fill } from '../shared/fill.ts';
import { Host } from '../shared/host.ts';
import { detailView } from './detailView.ts';
import { headerView } from './headerView.ts';
import { type OutputView, outputsView } from './outputsView.ts';
import { ShownTexts } from './shownTexts.ts';
import { TimelineView } from './timelineView.ts';

/** What the page keeps while it is hidden, and over a restart. */
interface Kept {
	key: string;
	selected: string;
	part: DetailPart;
	view: OutputView;
	query: string;
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
	readonly #timeline: TimelineView;
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
	#query = this.#host.state.query ?? '';
	#announcement = '';

	constructor(root: HTMLElement) {
		this.#root = root;
		this.#timeline = new TimelineView(
			{
				selected: id => this.#select(id),
				entered: () => this.#root.querySelector<HTMLElement>('#detail-panel')?.focus(),
				collapsedChanged: collapsed => this.#host.keep({ collapsed }),
			},
			this.#host.state.collapsed ?? [],
		);
		this.#timeline.element.addEventListener('scrollend', () => this.#host.keep({ scroll: this.#timeline.element.scrollTop }));
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
				if (message.id === this.#timeline.selected) {
					this.#detail = { id: message.id, detail: message.detail };
					this.#render(false);
				}
				break;
			case 'gone':
				this.#gone = message;
				this.#render(false);
		}
	}

	#begin({ seq, head, rows, text, strings }: Extract<FromInspectorHost, { type: 'snapshot' }>): void {
		const isFirst = this.#state === undefined;
		this.#state = { seq, head, rows: new Map(rows.map(row => [row.id, row])), text, strings, outputs: this.#state?.outputs };
		this.#host.keep({ key: head.key });
		if (isFirst && this.#query) {
			this.#timeline.search(this.#query);
		}
		this.#render(true);
		const { selected, scroll } = this.#host.state;
		if (isFirst) {
			this.#timeline.element.scrollTop = scroll ?? 0;
			const first = selected !== undefined && this.#state.rows.has(selected) ? selected : worthALook(rows)?.id;
			if (first !== undefined) {
				this.#timeline.select(first, scroll === undefined);
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
		if (rows.some(({ id }) => id === this.#timeline.selected)) {
			this.#askForDetail();
		}
	}

	#select(id: string): void {
		this.#host.keep({ selected: id });
		if (this.#detail?.id !== id) {
			this.#detail = undefined;
			this.#askForDetail();
		}
		this.#render(false);
	}

	#askForDetail(): void {
		clearTimeout(this.#detailTimer);
		this.#detailTimer = window.setTimeout(() => {
			const { selected } = this.#timeline;
			if (selected !== undefined) {
				this.#post({ type: 'detail', id: selected });
			}
		}, detailDelayMs);
	}

	#copy(text: string): void {
		this.#post({ type: 'copy', text });
		this.#announcement = this.#state?.strings.copied ?? '';
		this.#render(false);
	}

	#search(query: string): void {
		this.#query = query;
		this.#host.keep({ query });
		this.#timeline.search(query);
		this.#render(false);
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
		const { head, rows, strings, outputs, text } = state;
		const selected = rows.get(this.#timeline.selected ?? '');
		const code = (id: string, shown: string) => this.#texts.code(id, shown);
		const markdown = (id: string, shown: string) => this.#texts.markdown(id, shown, !head.live);
		const post = (message: FromInspector) => this.#post(message);
		const detail = this.#detail?.id === selected?.id ? this.#detail?.detail : undefined;
		render(
			html`${headerView(head, strings, post)}
				<main>
					<section class="timeline" aria-label=${strings.timeline}>
						<div class="sectionHead">
							<h2>${strings.timeline}</h2>
							<input type="search" .value=${this.#query} placeholder=${strings.search} aria-label=${strings.search} @input=${(event: InputEvent) => this.#search((event.target as HTMLInputElement).value)} />
							<span class="grow"></span>
							${head.live || rows.size === 0 ? nothing : html`<span class="legend dim" title=${strings.criticalHint}><span class="bar critical" aria-hidden="true"></span>${strings.critical}</span>`}
						</div>
						${this.#timeline.element}
						${this.#emptyWord(state)}
					</section>
					${detailView({
						strings,
						row: selected,
						detail,
						part: this.#part ?? (selected?.error ? 'error' : detail?.outputs === undefined ? 'inputs' : 'outputs'),
						live: head.live,
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
		this.#timeline.update(state, rowsChanged);
	}

	#emptyWord({ rows, head, strings }: RunState): unknown {
		if (rows.size > 0) {
			return this.#timeline.count === 0 && this.#query ? html`<p class="dim empty">${fill(strings.noMatch, this.#query)}</p>` : nothing;
		}
		const words = head.mode === 'blocking' ? strings.noNodesBlocking : head.live ? strings.waitingForNodes : strings.noNodes;
		return html`<p class="dim empty">${words}</p>`;
	}
}

/** The row that one wants to see first: the first that failed, else the last on the critical path. */
function worthALook(rows: readonly TimelineRow[]): TimelineRow | undefined {
	return (
		rows.find(({ status }) => status === 'failed') ?? rows.findLast(({ critical, parent }) => critical && parent === undefined) ?? rows[0]
	);
}
