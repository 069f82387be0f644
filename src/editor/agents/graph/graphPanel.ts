import path from 'node:path';
import * as vscode from 'vscode';
import type { Path } from '#agentFile/agentText.ts';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { isCancellation, messageOf } from '#base/problems.ts';
import { nodeFormStrings } from '#pages/graph/nodeForm/nodeFormStrings.ts';
import { type FromGraph, parseGraphMessage } from '#pages/graph/picture/graphMessages.ts';
import type { AddableKind, FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import { graphStrings } from '#pages/graph/picture/graphStrings.ts';
import { background } from '../../platform/background.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import { fromClipboard, toClipboard } from './clipboard.ts';
import { exportGraph } from './exportGraph.ts';
import { GraphRun, type GraphRunParts } from './graphRun.ts';
import { LivePicture } from './livePicture.ts';
import { nodeFaults } from './nodeFaults.ts';
import { NodeStops } from './nodeStops.ts';
import { PanelEdits } from './panelEdits.ts';
import { type FormSources, PanelForm } from './panelForm.ts';
import { PanelPicture } from './panelPicture.ts';
import { PanelPng } from './panelPng.ts';
import { PanelSelection } from './panelSelection.ts';
import type { PinnedNodesParts } from './pinnedNodes.ts';
import { goToText, undoInText } from './textBeside.ts';

export interface GraphPanelParts extends GraphRunParts, PinnedNodesParts {
	readonly kinds: readonly AddableKind[];
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
	readonly #stops: NodeStops;
	readonly #form: PanelForm;
	readonly #edits: PanelEdits;
	readonly #selection: PanelSelection;
	readonly #png: PanelPng;
	readonly #picture: PanelPicture;
	#ready = false;
	/** The last that the page asked for. */
	#seq = 0;

	constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPanelParts, isEditor: boolean) {
		super();
		this.#panel = panel;
		this.#parts = parts;
		this.#isEditor = isEditor;
		this.#live = this.own(new LivePicture(document, parts.readings));
		this.#run = this.own(new GraphRun(() => this.uri, parts));
		// what is made of the picture, and marks its nodes, comes behind it
		this.#picture = new PanelPicture(
			this.#live,
			() => this.#form.done,
			message => this.#post(message),
		);
		this.own(this.#live.onDidChange(told => this.#picture.tell(told)));
		this.#form = this.own(
			new PanelForm(this.#live, parts.forms, (form, revision) =>
				this.#post({ type: 'form', ...(form ? { form } : {}), revision, done: this.#form.done }),
			),
		);
		this.#selection = new PanelSelection(
			this.#live,
			nodes => background(this.#form.select(nodes), parts.log, 'Form of a node'),
			(nodes, by) => this.#post({ type: 'select', nodes, ...(by === undefined ? {} : { by }) }),
		);
		this.#png = new PanelPng(message => {
			if (this.#ready) {
				this.#post(message);
			} else {
				// a page that is out of sight is not there: it is asked when it is back
				panel.reveal();
			}
		});
		this.#edits = new PanelEdits(this.#live, this.#form, {
			refuse: (sentence, error) => {
				if (error !== undefined) {
					this.#parts.log.warn(`Graph: ${String(error)}`);
				}
				this.#refuse(sentence);
			},
			select: (nodes, by) => this.#selection.made(nodes, by),
			renamed: (from, to, by) => this.#selection.renamed(from, to, by),
			answered: seq => this.#post({ type: 'done', seq }),
		});
		this.own({
			dispose: () => {
				this.#hidden();
				this.#png.end();
			},
		});
		this.own(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
		this.own(panel.onDidChangeViewState(() => !panel.visible && this.#hidden()));
		this.#stops = this.own(new NodeStops(this.#live, parts, stops => this.#post({ type: 'stops', ...stops })));
		this.own(this.#run.onNews(news => this.#post({ type: 'run', ...news })));
		this.own(
			vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(uri => uri.toString() === this.uri.toString()) && this.#checked()),
		);
		this.own(
			vscode.window.onDidChangeTextEditorSelection(
				event => event.textEditor.document === this.#live.document && this.#selection.cursorMoved(event.textEditor),
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
				await this.#beginWhenRead(message.selected);
				break;
			case 'wholePicture':
				this.#picture.tellWhole();
				break;
			case 'select':
				this.#selection.chosen(message.nodes, this.#seq);
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
				await this.#edits.step(message.seq, async () => this.#edits.doNow(await fromClipboard(message), message.seq));
				break;
			case 'onNode': {
				// what is run or marked is the text with all that was typed
				await this.#edits.flush();
				const key = this.#run.key;
				const argument = { uri: this.uri, node: message.node, ...(key !== undefined && { key }) };
				await vscode.commands.executeCommand(`agentWorkbench.node.${message.action}` satisfies CommandId, argument);
				break;
			}
			case 'export':
				await this.#edits.flush();
				await this.#export();
				break;
			case 'rasterized':
				this.#png.drawn(message.png);
				break;
			case 'agentForm':
				this.#selection.clear();
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

	async #beginWhenRead(selected: readonly string[]): Promise<void> {
		const reading = this.#live.ready();
		if (reading) {
			await reading;
		}
		// hidden meanwhile, it asks anew when it comes back
		if (!reading || this.#panel.visible) {
			this.#ready = true;
			this.#selection.restored(selected);
			this.#begin();
		}
	}

	#begin(): void {
		const { document } = this.#live;
		this.#post({
			type: 'begin',
			uri: document.uri.toString(),
			file: path.posix.basename(document.uri.path),
			strings: graphStrings(vscode.l10n),
			formStrings: nodeFormStrings(vscode.l10n),
			kinds: this.#parts.kinds,
			editable: this.#form.editable,
			undoKeys: !this.#isEditor,
			seq: this.#seq,
		});
		this.#picture.tellWhole();
		this.#sendFaults();
		this.#stops.send();
		this.#form.send();
		this.#post({ type: 'run', ...this.#run.whole });
		if (this.#png.asked) {
			this.#post(this.#png.asked);
		}
		const editor = vscode.window.visibleTextEditors.find(each => each.document === document);
		if (editor) {
			this.#selection.cursorMoved(editor);
		}
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

	async #copy({ nodes, cut, seq }: Extract<FromGraph, { type: 'copy' }>): Promise<void> {
		await toClipboard(this.#live.reading, nodes);
		if (cut) {
			await this.#edits.doNow({ do: 'delete', nodes }, seq);
		}
	}

	async #export(): Promise<void> {
		const { picture } = this.#live.now();
		if (picture) {
			await exportGraph(this.#live.document, picture, (...svg) => this.#png.of(...svg));
		}
	}

	/** Tells why something cannot be done: on the page, or beside it where that is not in sight. */
	#refuse(sentence: string): void {
		if (this.#ready && !this.disposed) {
			this.#post({ type: 'refused', sentence });
		} else {
			void vscode.window.showWarningMessage(withoutLinks(sentence));
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
