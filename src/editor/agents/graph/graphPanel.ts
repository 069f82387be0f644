import path from 'node:path';
import * as vscode from 'vscode';
import type { Path } from '#agentFile/agentText.ts';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import { getNodeFormStrings } from '#pages/graph/nodeForm/nodeFormStrings.ts';
import { type FromGraph, parseGraphMessage } from '#pages/graph/picture/graphMessages.ts';
import type { AddableKind, FromGraphHost } from '#pages/graph/picture/graphProtocol.ts';
import { getGraphStrings } from '#pages/graph/picture/graphStrings.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import { runInBackground } from '../../platform/background.ts';
import { PanelPage } from '../../platform/webviewPage.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { AgentReadings } from '../files/agentReadings.ts';
import { copyToClipboard, createPasteOperation } from './clipboard.ts';
import { exportGraph } from './exportGraph.ts';
import { type GraphRunParts, ShownGraphRun } from './graphRun.ts';
import { LivePicture } from './livePicture.ts';
import { listNodeErrors } from './nodeFaults.ts';
import { NodeStops } from './nodeStops.ts';
import { PanelEdits } from './panelEdits.ts';
import { type FormSources, PanelForm } from './panelForm.ts';
import { PanelPicture } from './panelPicture.ts';
import { PanelPng } from './panelPng.ts';
import { PanelSelection } from './panelSelection.ts';
import type { PinnedNodesParts } from './pinnedNodes.ts';
import { goToText, undoInText } from './showInText.ts';

export interface GraphPanelParts extends GraphRunParts, PinnedNodesParts {
	readonly kinds: readonly AddableKind[];
	readonly forms: FormSources;
	/** Parsed documents. */
	readonly readings: AgentReadings;
	/** Opens code or a template of a node as a document. */
	readonly openField: (file: vscode.Uri, node: string, path: Path) => Promise<void>;
	/** Opens a run in an inspector. */
	readonly inspect: (key: string) => Promise<void>;
}

/**
 * Connects one graph page to its document, next to the text editor or instead of it (`isEditor`). The page gets everything when it's ready; nothing is sent while
 * it's hidden, because it reloads when it becomes visible. Gestures on the page become edits of the text, and the page is updated from the text.
 */
export class GraphPanel extends PanelPage<FromGraph, FromGraphHost> {
	readonly #parts: GraphPanelParts;
	readonly isEditor: boolean;
	readonly #live: LivePicture;
	readonly #run: ShownGraphRun;
	readonly #stops: NodeStops;
	readonly #form: PanelForm;
	readonly #edits: PanelEdits;
	readonly #selection: PanelSelection;
	readonly #png: PanelPng;
	readonly #picture: PanelPicture;
	/** Number of the page's last request. */
	#seq = 0;

	constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPanelParts, isEditor: boolean) {
		super(panel, { parse: parseGraphMessage, name: 'Graph', log: parts.log });
		this.#parts = parts;
		this.isEditor = isEditor;
		this.#live = this.register(new LivePicture(document, parts.readings));
		this.#run = this.register(new ShownGraphRun(() => this.uri, parts));
		// runs and breakpoints mark nodes of the picture, so the picture must be sent before them
		this.#picture = new PanelPicture(
			this.#live,
			() => this.#form.done,
			message => this.post(message),
		);
		this.register(this.#live.onDidChange(change => this.#picture.sendChange(change)));
		this.#form = this.register(
			new PanelForm(this.#live, parts.forms, (form, revision) =>
				this.post({ type: 'form', ...(form ? { form } : {}), revision, done: this.#form.done }),
			),
		);
		this.#selection = new PanelSelection(
			this.#live,
			nodes => runInBackground(this.#form.select(nodes), parts.log, 'Updating a node form'),
			(nodes, by) => this.post({ type: 'select', nodes, ...(by === undefined ? {} : { by }) }),
		);
		this.#png = new PanelPng(message => {
			if (this.isReady) {
				this.post(message);
			} else {
				// a hidden page doesn't receive messages: reveal it, and it's asked when it is ready
				panel.reveal();
			}
		});
		this.#edits = new PanelEdits(this.#live, this.#form, {
			refuse: (reason, error) => {
				if (error !== undefined) {
					this.#parts.log.warn(`Graph: ${String(error)}`);
				}
				this.#showRefusal(reason);
			},
			select: (nodes, by) => this.#selection.selectNew(nodes, by),
			onRenamed: (from, to, by) => this.#selection.replaceId(from, to, by),
			onFinished: seq => this.post({ type: 'done', seq }),
		});
		this.register({ dispose: () => this.#png.cancel() });
		this.#setTitle();
		this.#stops = this.register(new NodeStops(this.#live, parts, stops => this.post({ type: 'stops', ...stops })));
		this.register(this.#run.onNews(news => this.post({ type: 'run', ...news })));
		this.register(
			vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(uri => uri.toString() === this.uri.toString()) && this.#onChecked()),
		);
		this.register(
			vscode.window.onDidChangeTextEditorSelection(
				event => event.textEditor.document === this.#live.document && this.#selection.selectAtCursors(event.textEditor),
			),
		);
	}

	get uri(): vscode.Uri {
		return this.#live.document.uri;
	}

	/** Follows a renamed file. */
	followRename(document: vscode.TextDocument): void {
		this.#live.follow(document);
		this.#setTitle();
		this.#sendAll();
	}

	override onHidden(): void {
		super.onHidden();
		void this.#edits.flush();
	}

	#setTitle(): void {
		if (!this.isEditor) {
			this.panel.title = getGraphTitle(this.uri);
		}
	}

	protected override async handleMessage(message: FromGraph): Promise<void> {
		if ('seq' in message) {
			this.#seq = Math.max(this.#seq, message.seq);
		}
		try {
			await super.handleMessage(message);
		} catch (error) {
			if (!isCancellation(error)) {
				this.#showRefusal(getErrorMessage(error));
			}
			throw error;
		}
	}

	protected override readonly handlers: Handlers<FromGraph> = {
		ready: message => this.#startWhenParsed(message.selected),
		wholePicture: () => this.#picture.sendWhole(),
		select: message => this.#selection.selectByUser(message.nodes, this.#seq),
		reveal: async message => {
			await this.#edits.flush();
			await goToText(this.#live.document, this.#live.findRange(message.node));
		},
		edit: message => this.#edits.edit(message),
		typed: message => this.#edits.recordTyping(message),
		openField: async message => {
			await this.#edits.flush();
			await this.#parts.openField(this.uri, message.node, message.path);
		},
		copy: message => this.#edits.runInTurn(message.seq, () => this.#copy(message)),
		paste: message =>
			this.#edits.runInTurn(message.seq, async () => this.#edits.applyNow(await createPasteOperation(message), message.seq)),
		onNode: async message => {
			// run or mark the text including what is still being typed
			await this.#edits.flush();
			const key = this.#run.key;
			const argument = { uri: this.uri, node: message.node, ...(key !== undefined && { key }) };
			await vscode.commands.executeCommand(`agentWorkbench.node.${message.action}` satisfies CommandId, argument);
		},
		export: async () => {
			await this.#edits.flush();
			await this.#export();
		},
		rasterized: message => this.#png.onDrawn(message.png),
		agentForm: async () => {
			this.#selection.clear();
			await this.#form.showAgent();
		},
		undo: message => this.#undo(message),
		redo: message => this.#undo(message),
		pickRun: () => this.#run.pickRun(),
		leaveRun: () => this.#run.show(undefined),
		inspectRun: async () => {
			if (this.#run.key !== undefined) {
				await this.#parts.inspect(this.#run.key);
			}
		},
		openText: async () => {
			await this.#edits.flush();
			await goToText(this.#live.document, undefined);
		},
	};

	async #startWhenParsed(selected: readonly string[]): Promise<void> {
		const reading = this.#live.parse();
		if (reading) {
			await reading;
		}
		// if it was hidden meanwhile, it reloads when it becomes visible
		if (!reading || this.panel.visible) {
			this.startPage();
			this.#selection.restore(selected);
			this.#sendAll();
		}
	}

	#sendAll(): void {
		const { document } = this.#live;
		this.post({
			type: 'begin',
			uri: document.uri.toString(),
			file: path.posix.basename(document.uri.path),
			strings: getGraphStrings(vscode.l10n),
			formStrings: getNodeFormStrings(vscode.l10n),
			kinds: this.#parts.kinds,
			editable: this.#form.editable,
			undoKeys: !this.isEditor,
			seq: this.#seq,
		});
		this.#picture.sendWhole();
		this.#sendFaults();
		this.#stops.send();
		this.#form.send();
		this.post({ type: 'run', ...this.#run.whole });
		if (this.#png.asked) {
			this.post(this.#png.asked);
		}
		const editor = vscode.window.visibleTextEditors.find(each => each.document === document);
		if (editor) {
			this.#selection.selectAtCursors(editor);
		}
	}

	#onChecked(): void {
		this.#sendFaults();
		runInBackground(this.#form.updateFaults(), this.#parts.log, 'Updating a node form');
	}

	#sendFaults(): void {
		if (this.isReady) {
			this.post({ type: 'faults', faults: listNodeErrors(this.#live) });
		}
	}

	async #copy({ nodes, cut, seq }: Extract<FromGraph, { type: 'copy' }>): Promise<void> {
		await copyToClipboard(this.#live.reading, nodes);
		if (cut) {
			await this.#edits.applyNow({ do: 'delete', nodes }, seq);
		}
	}

	async #export(): Promise<void> {
		const { picture } = this.#live.getCurrent();
		if (picture) {
			await exportGraph(this.#live.document, picture, (...svg) => this.#png.rasterize(...svg));
		}
	}

	/** Shows why something failed: on the page, or as a message if the page is hidden. */
	#showRefusal(reason: string): void {
		if (this.isReady && !this.disposed) {
			this.post({ type: 'refused', sentence: reason });
		} else {
			void vscode.window.showWarningMessage(escapeLinks(reason));
		}
	}

	/** Moves the focus to the text and back, so no other step may run in between. */
	#undo({ type, seq }: Extract<FromGraph, { type: 'undo' | 'redo' }>): Promise<void> {
		return this.#edits.runInTurn(seq, async () => {
			if (this.isEditor) {
				await vscode.commands.executeCommand(type);
			} else {
				await undoInText(await this.#live.openDocument(), type, () => this.panel.reveal());
			}
		});
	}
}

export function getGraphTitle(uri: vscode.Uri): string {
	return vscode.l10n.t('Graph of {0}', path.posix.basename(uri.path));
}
