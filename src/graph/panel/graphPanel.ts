import path from 'node:path';
import * as vscode from 'vscode';
import type { Path } from '../../agentFile/agentText.ts';
import { copyNodes } from '../../agentFile/edits/copying.ts';
import type { AgentReadings } from '../../agentFiles/agentReadings.ts';
import { background } from '../../common/background.ts';
import { DisposableBase } from '../../common/disposables.ts';
import { isCancellation, messageOf } from '../../common/problems.ts';
import { exportGraph } from '../export/exportGraph.ts';
import { nodeFormStrings } from '../forms/nodeFormStrings.ts';
import { type FromGraph, parseGraphMessage } from '../graphMessages.ts';
import type { FromGraphHost, NodeKind } from '../graphProtocol.ts';
import { graphStrings } from '../graphStrings.ts';
import { GraphRun, type GraphRunParts } from './graphRun.ts';
import { LivePicture, type ToldPicture } from './livePicture.ts';
import { nodeFaults } from './nodeFaults.ts';
import { PanelEdits } from './panelEdits.ts';
import { type FormSources, PanelForm } from './panelForm.ts';
import { goToText, showInText, undoInText } from './textBeside.ts';

export interface GraphPanelParts extends GraphRunParts {
	readonly kinds: readonly NodeKind[];
	readonly forms: FormSources;
	/** What stands in the documents. */
	readonly readings: AgentReadings;
	/** Opens a program or a template of a node as a document of its language. */
	readonly openField: (file: vscode.Uri, node: string, path: Path) => Promise<void>;
	/** Opens an inspector of a run. */
	readonly inspect: (key: string) => Promise<void>;
}

/**
 * Joins one page to the document whose graph it shows: beside its text, or in its place (`isEditor`). The page gets all of it when it says that it is there; while it is hidden nothing is
 * sent, for a page that comes back asks anew. Gestures are edits of the text, and the page is told what the text then has.
 */
export class GraphPanel extends DisposableBase {
	readonly #panel: vscode.WebviewPanel;
	readonly #parts: GraphPanelParts;
	readonly #isEditor: boolean;
	readonly #live: LivePicture;
	readonly #run: GraphRun;
	readonly #form: PanelForm;
	readonly #edits: PanelEdits;
	#ready = false;
	/** Nodes that the page has selected, as far as the host knows. */
	#selected: readonly string[] = [];
	/** Takes the PNG that was asked for. */
	#rasterized: ((png: Uint8Array | undefined) => void) | undefined;
	/** The last that the page asked for. */
	#seq = 0;
	/** What the page had asked for when its user selected something last: what comes of that is not selected any more. */
	#selectedAfter = 0;

	constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPanelParts, isEditor: boolean) {
		super();
		this.#panel = panel;
		this.#parts = parts;
		this.#isEditor = isEditor;
		this.#live = this.own(new LivePicture(document, parts.readings));
		this.#run = this.own(new GraphRun(() => this.uri, parts));
		this.#form = this.own(
			new PanelForm(this.#live, parts.forms, (form, revision) =>
				this.#post({ type: 'form', ...(form ? { form } : {}), revision, done: this.#form.done }),
			),
		);
		this.#edits = new PanelEdits(this.#live, this.#form, {
			refuse: (sentence, error) => {
				if (error !== undefined) {
					this.#parts.log.warn(`Graph: ${String(error)}`);
				}
				this.#refuse(sentence);
			},
			select: (nodes, by) => this.#selectMade(nodes, by),
			renamed: (from, to, by) => this.#renamedNode(from, to, by),
			answered: seq => this.#post({ type: 'done', seq }),
		});
		this.own({ dispose: () => this.#hidden() });
		this.own(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
		this.own(panel.onDidChangeViewState(() => !panel.visible && this.#hidden()));
		this.own(this.#live.onDidChange(told => this.#sendPicture(told)));
		this.own(this.#run.onNews(news => this.#post({ type: 'run', ...news })));
		this.own(
			vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(uri => uri.toString() === this.uri.toString()) && this.#checked()),
		);
		this.own(
			vscode.window.onDidChangeTextEditorSelection(
				event => event.textEditor.document === this.#live.document && this.#cursorMoved(event.textEditor),
			),
		);
	}

	get uri(): vscode.Uri {
		return this.#live.document.uri;
	}

	get isActive(): boolean {
		return this.#panel.active;
	}

	reveal(): void {
		this.#panel.reveal();
	}

	/** The file has another name. */
	renamed(document: vscode.TextDocument): void {
		this.#live.follow(document);
		this.#begin();
	}

	#hidden(): void {
		this.#ready = false;
		void this.#edits.flush();
		this.#rasterized?.(undefined);
	}

	#post(message: FromGraphHost): void {
		if (this.#ready && !this.disposed) {
			void this.#panel.webview.postMessage(message);
		}
	}

	#receive(raw: unknown): void {
		const message = parseGraphMessage(raw);
		if (message) {
			const done = this.#handle(message).catch((error: unknown) => {
				if (!isCancellation(error)) {
					this.#refuse(messageOf(error));
				}
				throw error;
			});
			background(done, this.#parts.log, 'Graph');
		}
	}

	async #handle(message: FromGraph): Promise<void> {
		const { document } = this.#live;
		if ('seq' in message) {
			this.#seq = Math.max(this.#seq, message.seq);
		}
		switch (message.type) {
			case 'ready':
				await this.#beginWhenRead();
				break;
			case 'select':
				this.#selectedAfter = this.#seq;
				this.#select(message.nodes);
				break;
			case 'reveal':
				await this.#edits.flush();
				await goToText(document, this.#live.rangeOf(message.node));
				break;
			case 'edit':
				await this.#edits.edit(message);
				break;
			case 'typed':
				this.#edits.typed(message);
				break;
			case 'openField':
				await this.#edits.flush();
				await this.#parts.openField(this.uri, message.node, message.path);
				break;
			case 'copy':
				await this.#edits.step(message.seq, () => this.#copy(message));
				break;
			case 'paste':
				await this.#edits.step(message.seq, () => this.#paste(message));
				break;
			case 'export':
				await this.#edits.flush();
				await this.#export();
				break;
			case 'rasterized':
				this.#rasterized?.(message.png === '' ? undefined : Buffer.from(message.png, 'base64'));
				break;
			case 'agentForm':
				this.#selected = [];
				await this.#form.showAgent();
				break;
			case 'undo':
			case 'redo':
				await this.#edits.step(message.seq, () => this.#undo(message.type));
				break;
			case 'pickRun':
				await this.#run.pick();
				break;
			case 'leaveRun':
				await this.#run.show(undefined);
				break;
			case 'inspectRun':
				if (this.#run.key !== undefined) {
					await this.#parts.inspect(this.#run.key);
				}
				break;
			case 'openText':
				await this.#edits.flush();
				await goToText(document, undefined);
		}
	}

	async #beginWhenRead(): Promise<void> {
		const reading = this.#live.ready();
		if (reading) {
			await reading;
		}
		// hidden meanwhile, it asks anew when it comes back
		if (!reading || this.#panel.visible) {
			this.#ready = true;
			this.#begin();
		}
	}

	#begin(): void {
		const { document } = this.#live;
		this.#post({
			type: 'begin',
			uri: document.uri.toString(),
			file: path.posix.basename(document.uri.path),
			strings: graphStrings(),
			formStrings: nodeFormStrings(),
			kinds: this.#parts.kinds,
			editable: this.#form.editable,
			undoKeys: !this.#isEditor,
			seq: this.#seq,
		});
		this.#sendPicture(this.#live.now());
		this.#sendFaults();
		this.#form.send();
		this.#post({ type: 'run', ...this.#run.whole });
		const editor = vscode.window.visibleTextEditors.find(each => each.document === document);
		if (editor) {
			this.#cursorMoved(editor);
		}
	}

	#sendPicture({ version, picture, stale, empty }: ToldPicture): void {
		this.#post({
			type: 'picture',
			version,
			done: this.#form.done,
			...(picture ? { picture } : {}),
			...(stale === undefined ? {} : { stale }),
			empty,
		});
	}

	#checked(): void {
		this.#sendFaults();
		background(this.#form.checked(), this.#parts.log, 'Form of a node');
	}

	#sendFaults(): void {
		if (this.#ready) {
			this.#post({ type: 'faults', faults: nodeFaults(this.#live) });
		}
	}

	#cursorMoved({ selections }: vscode.TextEditor): void {
		const nodes = [...new Set(selections.flatMap(({ active }) => this.#live.nodeAt(active) ?? []))];
		if (nodes.length > 0 && nodes.join('\n') !== this.#selected.join('\n')) {
			this.#remember(nodes);
			this.#post({ type: 'select', nodes });
		}
	}

	#remember(nodes: readonly string[]): void {
		this.#selected = nodes;
		background(this.#form.select(nodes), this.#parts.log, 'Form of a node');
	}

	#select(nodes: readonly string[]): void {
		this.#remember(nodes);
		const [only, ...others] = nodes;
		const range = only !== undefined && others.length === 0 ? this.#live.rangeOf(only) : undefined;
		if (range) {
			showInText(this.#live.document, range);
		}
	}

	/** What came of what the page asked for is selected, unless its user has gone on since. */
	#selectMade(nodes: readonly string[], by: number): void {
		if (by > this.#selectedAfter) {
			this.#select(nodes);
			this.#post({ type: 'select', nodes, by });
		}
	}

	#renamedNode(from: string, to: string, by: number): void {
		if (this.#selected.includes(from)) {
			const nodes = this.#selected.map(id => (id === from ? to : id));
			this.#remember(nodes);
			this.#post({ type: 'select', nodes, by });
		}
	}

	async #copy({ nodes, cut, seq }: Extract<FromGraph, { type: 'copy' }>): Promise<void> {
		let text: string;
		try {
			text = copyNodes(this.#live.reading, nodes, (message, ...values) => vscode.l10n.t(message, ...values));
		} catch (error) {
			this.#refuse(messageOf(error));
			return;
		}
		await vscode.env.clipboard.writeText(text);
		if (cut) {
			await this.#edits.doNow({ do: 'delete', nodes }, seq);
		}
	}

	async #paste({ at, parent, seq }: Extract<FromGraph, { type: 'paste' }>): Promise<void> {
		const text = await vscode.env.clipboard.readText();
		await this.#edits.doNow({ do: 'paste', text, ...(at ? { at } : {}), ...(parent === undefined ? {} : { parent }) }, seq);
	}

	async #export(): Promise<void> {
		const { picture } = this.#live.now();
		if (!picture) {
			return;
		}
		const rasterize = (svg: string, width: number, height: number) =>
			new Promise<Uint8Array | undefined>(resolve => {
				this.#rasterized?.(undefined);
				this.#rasterized = resolve;
				if (!this.#ready) {
					resolve(undefined);
				}
				this.#post({ type: 'rasterize', svg, width, height });
			});
		try {
			await exportGraph(this.#live.document, picture, rasterize);
		} catch (error) {
			this.#refuse(messageOf(error));
		}
	}

	/** Tells why something cannot be done: on the page, or beside it where that is not in sight. */
	#refuse(sentence: string): void {
		if (this.#ready && !this.disposed) {
			this.#post({ type: 'refused', sentence });
		} else {
			void vscode.window.showWarningMessage(sentence);
		}
	}

	/** The focus goes to the text and comes back, which no other step may cross. */
	async #undo(command: 'undo' | 'redo'): Promise<void> {
		if (this.#isEditor) {
			await vscode.commands.executeCommand(command);
		} else {
			await undoInText(await this.#live.opened(), command, () => this.#panel.reveal());
		}
	}
}
