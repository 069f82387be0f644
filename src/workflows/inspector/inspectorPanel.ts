import * as vscode from 'vscode';
import { DisposableBase } from '../../common/disposables.ts';
import { messageOf } from '../../common/problems.ts';
import { shortId } from '../runLines.ts';
import { InspectedRun, type RunSource } from './inspectedRun.ts';
import { type FromInspector, parseInspectorMessage } from './inspectorMessages.ts';
import type { FromInspectorHost, NodesView } from './inspectorProtocol.ts';
import { inspectorStrings } from './inspectorStrings.ts';

/** Milliseconds over which changes are gathered into one message: a run can send thousands of events a second. */
const gatherMs = 50;

/** Key in the memory of the workspace: how nodes were shown last. */
const nodesViewKey = 'inspector.nodesView';

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
export class InspectorPanel extends DisposableBase {
	readonly key: string;
	readonly #panel: vscode.WebviewPanel;
	readonly #log: vscode.LogOutputChannel;
	readonly #memory: vscode.Memento;
	readonly #run: InspectedRun;
	readonly #loaded: Promise<void>;
	#ready = false;
	#seq = 0;
	#timer: NodeJS.Timeout | undefined;
	/** What the page has of the text. */
	#textSent = '';
	#outputsSent = false;

	constructor(panel: vscode.WebviewPanel, key: string, { source, memory, log }: InspectorPanelParts) {
		super();
		this.key = key;
		this.#panel = panel;
		this.#log = log;
		this.#memory = memory;
		this.#run = this.own(new InspectedRun(source, key));
		this.#setTitle();
		this.own(panel.webview.onDidReceiveMessage(message => this.#receive(message)));
		this.own(this.#run.onDidChange(() => this.#changeSoon()));
		this.own(panel.onDidChangeViewState(() => !panel.visible && this.#hidden()));
		this.own({ dispose: () => clearTimeout(this.#timer) });
		this.#loaded = this.#run.load();
		this.#loaded.catch(error => log.error(`Inspector: ${messageOf(error)}`));
	}

	reveal(): void {
		this.#panel.reveal();
	}

	#hidden(): void {
		this.#ready = false;
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#setTitle(): void {
		const { record } = this.#run;
		const title = record ? `${record.agent} · ${shortId(record.runId ?? record.key)}` : vscode.l10n.t('Run');
		if (this.#panel.title !== title) {
			this.#panel.title = title;
		}
	}

	#receive(raw: unknown): void {
		const message = parseInspectorMessage(raw);
		if (message) {
			this.#handle(message).catch(error => this.#log.error(`Inspector: ${messageOf(error)}`));
		}
	}

	async #handle(message: FromInspector): Promise<void> {
		switch (message.type) {
			case 'ready':
			case 'resync':
				await this.#loaded;
				this.#ready = true;
				await this.#sendSnapshot();
				break;
			case 'detail':
				await this.#loaded;
				this.#post({ type: 'detail', id: message.id, detail: await this.#run.detail(message.id) });
				break;
			case 'graph':
				await this.#sendGraph(true);
				break;
			case 'nodesView':
				await this.#memory.update(nodesViewKey, message.view);
				break;
			case 'copy':
				await vscode.env.clipboard.writeText(message.text);
				break;
			case 'command':
				await vscode.commands.executeCommand(
					message.command === 'ask' ? 'agentWorkbench.chat.askAboutRun' : `agentWorkbench.run.${message.command}`,
					this.key,
				);
		}
	}

	#post(message: FromInspectorHost): void {
		if (!this.disposed) {
			void this.#panel.webview.postMessage(message);
		}
	}

	async #sendSnapshot(): Promise<void> {
		const { head, timeline } = this.#run;
		if (!head) {
			this.#post({
				type: 'gone',
				title: vscode.l10n.t('This run is no longer in the history.'),
				text: vscode.l10n.t('Its agent’s logs in the view Agents may still have it.'),
			});
			return;
		}
		timeline.takeChanges();
		this.#textSent = timeline.text;
		this.#outputsSent = false;
		this.#post({
			type: 'snapshot',
			seq: ++this.#seq,
			head,
			rows: timeline.rows,
			text: timeline.text,
			strings: inspectorStrings(),
			nodesView: this.#memory.get<NodesView>(nodesViewKey, 'timeline'),
		});
		await this.#sendGraph(false);
		await this.#sendOutputs(head.live);
	}

	async #sendGraph(whole: boolean): Promise<void> {
		const graph = await this.#run.graph(whole);
		if (graph && this.#ready) {
			this.#post({ type: 'graph', ...graph });
		}
	}

	#changeSoon(): void {
		if (this.#ready) {
			this.#timer ??= setTimeout(() => void this.#sendChanges(), gatherMs);
		}
	}

	async #sendChanges(): Promise<void> {
		this.#timer = undefined;
		this.#setTitle();
		const { head, timeline } = this.#run;
		if (!head || !this.#ready) {
			return;
		}
		const { text } = timeline;
		const textChange = text === this.#textSent ? {} : { text };
		this.#textSent = text;
		this.#post({ type: 'changes', seq: ++this.#seq, head, rows: timeline.takeChanges(), ...textChange });
		await this.#sendOutputs(head.live);
	}

	async #sendOutputs(live: boolean): Promise<void> {
		if (live || this.#outputsSent) {
			return;
		}
		this.#outputsSent = true;
		const outputs = await this.#run.outputs();
		if (outputs) {
			this.#post({ type: 'outputs', outputs });
		}
	}
}
