import * as vscode from 'vscode';
import { shortId } from '#base/text/shortId.ts';
import {
	type FromInspector,
	type FromInspectorHost,
	type InspectorHead,
	type InspectorLayout,
	type NodesView,
	parseInspectorMessage,
} from '#pages/inspector/inspectorMessages.ts';
import { inspectorStrings } from '#pages/inspector/inspectorStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import { InspectedRun, type RunSource } from './inspectedRun.ts';
import { executeAction, executeOnNode, showSource } from './inspectorActions.ts';
import { PanelForms } from './panelForms.ts';

/** Milliseconds over which changes are gathered into one message: a run can send thousands of events a second. */
const gatherMs = 50;

/** Key in the memory of the workspace: how nodes were shown last. */
const nodesViewKey = 'inspector.nodesView';

/** A run in a panel; `kept`: the next one that is looked at does not take its place. */
export interface PanelRun {
	readonly key: string;
	readonly kept: boolean;
}

/** Key in the memory of the workspace: how panes were laid out last. */
const layoutKey = 'inspector.layout';

/** What an inspector needs beside the run. */
export interface InspectorPanelParts {
	readonly source: RunSource;
	readonly memory: vscode.Memento;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Joins one webview panel to the run that it shows. The page gets a snapshot when it says that it is there, and numbered changes from then
 * on; while it is hidden nothing is sent, for a page that comes back asks anew.
 */
export class InspectorPanel extends PanelPage<FromInspector, FromInspectorHost> {
	readonly #memory: vscode.Memento;
	readonly #source: RunSource;
	#key: string;
	#kept: boolean;
	#run: InspectedRun;
	#loaded: Promise<void>;
	/** Set from the first change that is not told until what tells of it is delivered. */
	#timer: NodeJS.Timeout | undefined;
	/** Something changed since changes were told last. */
	#isStale = false;
	/** What the page has of the text. */
	#textSent = '';
	#outputsSent = false;
	readonly #forms: PanelForms;

	constructor(panel: vscode.WebviewPanel, { key, kept }: PanelRun, { source, memory, log }: InspectorPanelParts) {
		super(panel, { parse: parseInspectorMessage, name: 'Inspector', log });
		this.#source = source;
		this.#key = key;
		this.#kept = kept;
		this.#memory = memory;
		this.#forms = new PanelForms(source.answers, message => void this.send(message));
		this.#run = this.#runOf(key);
		this.#loaded = this.#load();
		this.own({ dispose: () => this.#run.dispose() });
	}

	/** Key of the run that is shown. */
	get key(): string {
		return this.#key;
	}

	/** Whether the next run that is looked at takes its place. */
	get isKept(): boolean {
		return this.#kept;
	}

	/** Has the run stay where it is. */
	keep(): void {
		this.#kept = true;
		this.#changeSoon();
	}

	/** Shows another run in the place of the one before. */
	show(key: string): void {
		if (key === this.#key) {
			return;
		}
		this.#key = key;
		this.#run.dispose();
		this.#run = this.#runOf(key);
		this.#loaded = this.#load();
		this.#forms.leave();
		if (this.isReady) {
			this.start(this.#sendSnapshot());
		}
	}

	/** Has the form that the run waits for focused, once it is shown. */
	focusForm(): void {
		this.#forms.want(this.#run);
		if (this.isReady) {
			this.#forms.send(this.#run);
		}
	}

	#runOf(key: string): InspectedRun {
		const run = new InspectedRun(this.#source, key);
		run.onDidChange(() => this.#changeSoon());
		return run;
	}

	#load(): Promise<void> {
		const loaded = this.#run.load();
		this.start(loaded);
		this.#setTitle();
		this.start(loaded.then(() => this.#setTitle()));
		return loaded;
	}

	override hidden(): void {
		super.hidden();
		this.#forgetChanges();
	}

	#forgetChanges(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#isStale = false;
	}

	#setTitle(): void {
		const { record } = this.#run;
		const title = record ? `${record.agent} · ${shortId(record.runId ?? record.key)}` : vscode.l10n.t('Run');
		if (this.panel.title !== title) {
			this.panel.title = title;
		}
	}

	protected override readonly handlers: Handlers<FromInspector> = {
		ready: () => this.#sendFirst(),
		resync: () => this.#sendFirst(),
		detail: message => this.#sendDetail(message.id),
		step: message => this.show(this.#run.neighbour(message.offset) ?? this.#key),
		keepOpen: () => this.keep(),
		graph: () => this.#sendGraph(true),
		layout: message => this.#memory.update(layoutKey, message.layout),
		goToSource: async message => showSource(await this.#run.source(message.node), this.panel.viewColumn),
		node: message => executeOnNode(this.#key, message.action, this.#run.timeline, message.row),
		nodesView: message => this.#memory.update(nodesViewKey, message.view),
		copy: message => vscode.env.clipboard.writeText(message.text),
		answerForm: async message => {
			await this.#loaded;
			await this.#forms.answer(this.#run, message);
		},
		chooseFormFiles: async message => {
			await this.#loaded;
			await this.#forms.chooseFiles(this.#run, message);
		},
		command: message => executeAction(this.#key, message.command),
	};

	async #sendDetail(id: string): Promise<void> {
		const run = this.#run;
		await this.#loaded;
		const detail = await run.detail(id);
		if (run === this.#run) {
			void this.send({ type: 'detail', id, detail });
		}
	}

	#sendFirst(): Promise<void> {
		this.begin();
		return this.#sendSnapshot();
	}

	async #sendSnapshot(): Promise<void> {
		const run = this.#run;
		await this.#loaded;
		if (run !== this.#run || !this.isReady) {
			return;
		}
		const { head, timeline, problem } = run;
		if (!head) {
			void this.send({
				type: 'gone',
				title: problem ? vscode.l10n.t('This run could not be read.') : vscode.l10n.t('This run is no longer in the history.'),
				text: problem ?? vscode.l10n.t('Its agent’s logs in the view Agents may still have it.'),
			});
			return;
		}
		const layout = this.#memory.get<InspectorLayout>(layoutKey);
		this.#forgetChanges();
		timeline.takeChanges();
		this.#textSent = timeline.text;
		this.#outputsSent = false;
		this.#forms.begin();
		void this.send({
			type: 'snapshot',
			seq: this.nextSeq(),
			head: this.#told(head),
			rows: timeline.rows,
			text: timeline.text,
			strings: inspectorStrings(vscode.l10n),
			nodesView: this.#memory.get<NodesView>(nodesViewKey, 'timeline'),
			...(layout ? { layout } : {}),
		});
		this.#forms.send(this.#run);
		await this.#sendGraph(false);
		await this.#sendOutputs(head);
	}

	async #sendGraph(whole: boolean): Promise<void> {
		const run = this.#run;
		const graph = await run.graph(whole);
		if (graph && this.isReady && run === this.#run) {
			void this.send({ type: 'graph', ...graph });
		}
	}

	#changeSoon(): void {
		if (this.isReady) {
			this.#isStale = true;
			this.#timer ??= setTimeout(() => this.start(this.#sendAllChanges()), gatherMs);
		}
	}

	/** A busy editor takes changes more slowly than they come: it is told of the next ones when it has the last, or it would show what was long ago. */
	async #sendAllChanges(): Promise<void> {
		const timer = this.#timer;
		this.#isStale = false;
		await this.#sendChanges();
		if (timer === this.#timer) {
			this.#timer = undefined;
			if (this.#isStale) {
				this.#changeSoon();
			}
		}
	}

	async #sendChanges(): Promise<void> {
		this.#setTitle();
		const { head, timeline } = this.#run;
		if (!head || !this.isReady) {
			return;
		}
		const { text } = timeline;
		const grew = text.startsWith(this.#textSent);
		const textChange = text === this.#textSent ? {} : grew ? { textAdded: text.slice(this.#textSent.length) } : { text };
		this.#textSent = text;
		const delivered = this.send({
			type: 'changes',
			seq: this.nextSeq(),
			head: this.#told(head),
			rows: timeline.takeChanges(),
			...textChange,
		});
		this.#forms.send(this.#run);
		await this.#sendOutputs(head);
		await delivered;
	}

	#told(head: Omit<InspectorHead, 'kept'>): InspectorHead {
		return { ...head, kept: this.#kept };
	}

	async #sendOutputs({ live, waits }: Pick<InspectorHead, 'live' | 'waits'>): Promise<void> {
		if (live || waits || this.#outputsSent) {
			return;
		}
		this.#outputsSent = true;
		const run = this.#run;
		const outputs = await run.outputs();
		if (outputs && run === this.#run) {
			void this.send({ type: 'outputs', outputs });
		}
	}
}
