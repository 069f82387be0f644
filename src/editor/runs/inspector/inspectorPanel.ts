import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { shortenId } from '#base/text/shortId.ts';
import {
	type FromInspector,
	type FromInspectorHost,
	type InspectorHead,
	type InspectorLayout,
	type NodesView,
	parseInspectorMessage,
} from '#pages/inspector/inspectorMessages.ts';
import { getInspectorStrings } from '#pages/inspector/inspectorStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import { getGatherMs } from './gatherTime.ts';
import { InspectedRun, type RunSource } from './inspectedRun.ts';
import { executeNodeAction, executeRunAction, showSource } from './inspectorActions.ts';
import { PanelForms } from './panelForms.ts';

/** Memento key of the last view of the nodes. */
const nodesViewKey = 'inspector.nodesView';

/** A run in a panel. If `kept` is true, the next inspected run doesn't replace it. */
export interface PanelRun {
	readonly key: string;
	readonly kept: boolean;
}

/** Memento key of the last layout of the panes. */
const layoutKey = 'inspector.layout';

export interface InspectorPanelParts {
	readonly source: RunSource;
	readonly memory: vscode.Memento;
	readonly log: vscode.LogOutputChannel;
}

/**
 * The host's side of an inspector page. Sends a snapshot when the page is ready, and numbered changes after that. A hidden page gets no
 * messages and requests a new snapshot when it is shown again.
 */
export class InspectorPanel extends PanelPage<FromInspector, FromInspectorHost> {
	readonly #memory: vscode.Memento;
	readonly #source: RunSource;
	#key: string;
	#kept: boolean;
	#run: InspectedRun;
	#loaded: Promise<void>;
	/** Set from the first unsent change until the message that contains it is delivered. */
	#timer: NodeJS.Timeout | undefined;
	/** True if something changed since the last message. */
	#isStale = false;
	/** The part of the text that the page already has. */
	#textSent = '';
	#outputsSent = false;
	/** The run of the last snapshot. Changes of another run must not reach the page before its snapshot. */
	#sentRun: InspectedRun | undefined;
	readonly #forms: PanelForms;

	constructor(panel: vscode.WebviewPanel, { key, kept }: PanelRun, { source, memory, log }: InspectorPanelParts) {
		super(panel, { parse: parseInspectorMessage, name: 'Inspector', log });
		this.#source = source;
		this.#key = key;
		this.#kept = kept;
		this.#memory = memory;
		this.#forms = new PanelForms(source.answers, message => void this.send(message));
		this.#run = this.#openRun(key);
		this.#loaded = this.#loadRun();
		this.register({ dispose: () => this.#run.dispose() });
	}

	get key(): string {
		return this.#key;
	}

	/** True if the next inspected run must not replace this one. */
	get isKept(): boolean {
		return this.#kept;
	}

	keepOpen(): void {
		this.#kept = true;
		this.#scheduleChanges();
	}

	/** Replaces the shown run. */
	showRun(key: string): void {
		if (key === this.#key) {
			return;
		}
		this.#key = key;
		this.#run.dispose();
		this.#run = this.#openRun(key);
		this.#loaded = this.#loadRun();
		this.#forms.onRunChange();
		if (this.isReady) {
			this.start(this.#sendSnapshot());
		}
	}

	/** Focuses the form that the run is waiting for, once the form is shown. */
	focusForm(): void {
		this.#forms.requestFocus(this.#run);
		if (this.isReady) {
			this.#forms.sendForms(this.#run);
		}
	}

	#openRun(key: string): InspectedRun {
		const run = new InspectedRun(this.#source, key);
		run.onDidChange(() => this.#scheduleChanges());
		return run;
	}

	#loadRun(): Promise<void> {
		const loaded = this.#run.loadRun();
		this.start(loaded);
		this.#setTitle();
		this.start(loaded.then(() => this.#setTitle()));
		return loaded;
	}

	override onHidden(): void {
		super.onHidden();
		this.#dropChanges();
	}

	#dropChanges(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#isStale = false;
	}

	#setTitle(): void {
		const { record } = this.#run;
		const title = record
			? `${record.agent} · ${shortenId(record.runId ?? record.key)}`
			: vscode.l10n.t({ message: 'Run', comment: ['noun: title of the inspector of a run'] });
		if (this.panel.title !== title) {
			this.panel.title = title;
		}
	}

	protected override readonly handlers: Handlers<FromInspector> = {
		ready: () => this.#sendFirstMessage(),
		resync: () => this.#sendFirstMessage(),
		detail: message => this.#sendDetail(message.id, message.until),
		moments: message => this.#sendMoments(message.from),
		step: message => this.showRun(this.#run.getNeighborKey(message.offset) ?? this.#key),
		showRun: message => this.showRun(message.key),
		keepOpen: () => this.keepOpen(),
		graph: () => this.#sendGraph(true),
		layout: message => this.#memory.update(layoutKey, message.layout),
		goToSource: async message => showSource(await this.#run.findNodeSource(message.node), this.panel.viewColumn),
		node: message => executeNodeAction(this.#key, message.action, this.#run.timeline, message.row),
		nodesView: message => this.#memory.update(nodesViewKey, message.view),
		copy: message => vscode.env.clipboard.writeText(message.text),
		answerForm: async message => {
			await this.#loaded;
			await this.#forms.submitAnswer(this.#run, message);
		},
		chooseFormFiles: async message => {
			await this.#loaded;
			await this.#forms.chooseFiles(this.#run, message);
		},
		command: message => executeRunAction(this.#key, message.command, this.#run.parentKey),
	};

	async #sendDetail(id: string, until: number | undefined): Promise<void> {
		const run = this.#run;
		await this.#loaded;
		const detail = await run.readRowDetail(id, until);
		if (run === this.#run) {
			void this.send({ type: 'detail', id, detail, ...(until === undefined ? {} : { until }) });
		}
	}

	async #sendMoments(from: number): Promise<void> {
		await this.#loaded;
		const { history } = this.#run;
		void this.send({ type: 'moments', key: this.#key, from, moments: history.getMoments(from), replaced: history.replacedTexts });
	}

	#sendFirstMessage(): Promise<void> {
		this.startPage();
		return this.#sendSnapshot();
	}

	async #sendSnapshot(): Promise<void> {
		const run = this.#run;
		// the error is logged where the run is loaded
		const failure = await this.#loaded.then(() => undefined, getErrorMessage);
		if (run !== this.#run || !this.isReady) {
			return;
		}
		const { head, timeline, problem = failure } = run;
		this.#sentRun = run;
		if (!head || failure !== undefined) {
			void this.send({
				type: 'gone',
				title: problem ? vscode.l10n.t("Couldn't read this run.") : vscode.l10n.t('This run is no longer in the history.'),
				text: problem ?? vscode.l10n.t("You might still find it in the agent's logs in the Agents view."),
			});
			return;
		}
		const layout = this.#memory.get<InspectorLayout>(layoutKey);
		this.#dropChanges();
		timeline.takeChangedRows();
		this.#textSent = timeline.text;
		this.#outputsSent = false;
		this.#forms.onPageReset();
		void this.send({
			type: 'snapshot',
			seq: this.takeNextSeq(),
			head: this.#completeHead(head),
			rows: timeline.rows,
			text: timeline.text,
			strings: getInspectorStrings(vscode.l10n),
			nodesView: this.#memory.get<NodesView>(nodesViewKey, 'timeline'),
			...(layout ? { layout } : {}),
		});
		this.#forms.sendForms(this.#run);
		await this.#sendGraph(false);
		await this.#sendOutputs(head);
	}

	async #sendGraph(whole: boolean): Promise<void> {
		const run = this.#run;
		const graph = await run.readGraph(whole);
		if (graph && this.isReady && run === this.#run) {
			void this.send({ type: 'graph', ...graph });
		}
	}

	#scheduleChanges(): void {
		if (this.isReady) {
			this.#isStale = true;
			this.#timer ??= setTimeout(() => this.start(this.#sendPendingChanges()), getGatherMs(this.#run.timeline.rows));
		}
	}

	/** Sends the next changes only after the last message was delivered, because a busy editor would otherwise fall behind. */
	async #sendPendingChanges(): Promise<void> {
		const timer = this.#timer;
		this.#isStale = false;
		await this.#sendChanges().finally(() => {
			if (timer === this.#timer) {
				this.#timer = undefined;
				if (this.#isStale) {
					this.#scheduleChanges();
				}
			}
		});
	}

	async #sendChanges(): Promise<void> {
		this.#setTitle();
		const { head, timeline } = this.#run;
		if (!head || !this.isReady || this.#sentRun !== this.#run) {
			return;
		}
		const { text } = timeline;
		const grew = text.startsWith(this.#textSent);
		const textChange = text === this.#textSent ? {} : grew ? { textAdded: text.slice(this.#textSent.length) } : { text };
		this.#textSent = text;
		const delivered = this.send({
			type: 'changes',
			seq: this.takeNextSeq(),
			head: this.#completeHead(head),
			rows: timeline.takeChangedRows(),
			...textChange,
		});
		this.#forms.sendForms(this.#run);
		await this.#sendOutputs(head);
		await delivered;
	}

	#completeHead(head: Omit<InspectorHead, 'kept'>): InspectorHead {
		return { ...head, kept: this.#kept };
	}

	async #sendOutputs({ live, waits }: Pick<InspectorHead, 'live' | 'waits'>): Promise<void> {
		if (live || waits || this.#outputsSent) {
			return;
		}
		this.#outputsSent = true;
		const run = this.#run;
		const outputs = await run.readOutputs().catch((error: unknown) => {
			// read them again with the next change
			this.#outputsSent = false;
			throw error;
		});
		if (outputs && run === this.#run) {
			void this.send({ type: 'outputs', outputs });
		}
	}
}
