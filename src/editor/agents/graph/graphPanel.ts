import path from 'node:path';
import * as vscode from 'vscode';
import type { Path } from '#agentFile/agentText.ts';
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
import { PanelCommands } from './panelCommands.ts';
import { PanelEdits } from './panelEdits.ts';
import { type FormSources, PanelForm } from './panelForm.ts';
import { PanelPicture } from './panelPicture.ts';
import { PanelPng } from './panelPng.ts';
import { PanelSelection } from './panelSelection.ts';
import type { PinnedNodesParts } from './pinnedNodes.ts';
import { openTextAtRange, undoEditInText } from './showInText.ts';

export interface GraphPanelParts extends GraphRunParts, PinnedNodesParts {
	readonly kinds: readonly AddableKind[];
	readonly forms: FormSources;
	/** Parsed agent files. */
	readonly readings: AgentReadings;
	/** Opens a node's code or template as a document. */
	readonly openField: (file: vscode.Uri, node: string, path: Path) => Promise<void>;
	/** Opens a run in the inspector. */
	readonly inspect: (key: string) => Promise<void>;
}

/**
 * Connects one graph page to its document. The page is next to the text editor, or replaces it if `isEditor` is set. Gestures on the page
 * become edits of the text, and the page is updated from the text. Nothing is sent while the page is hidden, because it reloads when it
 * becomes visible.
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
	readonly commands: PanelCommands;
	/** Number of the last request from the page. */
	#seq = 0;

	constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPanelParts, isEditor: boolean) {
		super(panel, { parse: parseGraphMessage, name: 'Graph', log: parts.log });
		this.#parts = parts;
		this.isEditor = isEditor;
		this.#live = this.register(new LivePicture(document, parts.readings));
		this.#run = this.register(new ShownGraphRun(() => this.uri, parts));
		// send the picture before runs and breakpoints, which mark its nodes
		this.#picture = new PanelPicture(
			this.#live,
			() => this.#form.done,
			message => this.post(message),
		);
		this.register(this.#live.onDidChange(change => this.#picture.sendPictureChange(change)));
		this.#form = this.register(
			new PanelForm(this.#live, parts.forms, (form, revision) =>
				this.post({ type: 'form', ...(form ? { form } : {}), revision, done: this.#form.done }),
			),
		);
		this.#selection = new PanelSelection(
			this.#live,
			nodes => runInBackground(this.#form.selectNodes(nodes), parts.log, 'Updating a node form'),
			(nodes, by) => this.post({ type: 'select', nodes, ...(by === undefined ? {} : { by }) }),
		);
		this.#png = new PanelPng(message => {
			if (this.isReady) {
				this.post(message);
			} else {
				// a hidden page doesn't receive messages, so reveal it; the request is sent when the page is ready
				panel.reveal();
			}
		});
		this.#edits = new PanelEdits(this.#live, this.#form, {
			refuse: (reason, error) => {
				if (error !== undefined) {
					this.#parts.log.warn(`Graph: ${String(error)}`);
				}
				this.#reportRefusal(reason);
			},
			select: (nodes, by) => this.#selection.selectNewNodes(nodes, by),
			onRenamed: (from, to, by) => this.#selection.replaceNodeId(from, to, by),
			onFinished: seq => this.post({ type: 'done', seq }),
		});
		this.commands = new PanelCommands({ getUri: () => this.uri, edits: this.#edits, selection: this.#selection, run: this.#run });
		this.register({ dispose: () => this.#png.cancelRequest() });
		this.#updateTitle();
		this.#stops = this.register(new NodeStops(this.#live, parts, stops => this.post({ type: 'stops', ...stops })));
		this.register(this.#run.onNews(news => this.post({ type: 'run', ...news })));
		this.register(
			vscode.languages.onDidChangeDiagnostics(({ uris }) => {
				if (uris.some(uri => uri.toString() === this.uri.toString())) {
					this.#sendFaults();
					runInBackground(this.#form.updateFaults(), parts.log, 'Updating a node form');
				}
			}),
		);
		this.register(
			vscode.window.onDidChangeTextEditorSelection(
				event => event.textEditor.document === this.#live.document && this.#selection.selectNodesAtCursors(event.textEditor),
			),
		);
	}

	get uri(): vscode.Uri {
		return this.#live.document.uri;
	}

	/** Switches to the document of the renamed file. */
	followRename(document: vscode.TextDocument): void {
		this.#live.followDocument(document);
		this.#updateTitle();
		this.#sendPageState();
	}

	override onHidden(): void {
		super.onHidden();
		void this.#edits.flushEdits();
	}

	#updateTitle(): void {
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
				this.#reportRefusal(getErrorMessage(error));
			}
			throw error;
		}
	}

	protected override readonly handlers: Handlers<FromGraph> = {
		ready: message => this.#startPageWhenParsed(message.selected),
		wholePicture: () => this.#picture.sendWholePicture(),
		select: message => this.#selection.onUserSelection(message.nodes, this.#seq),
		reveal: async message => {
			await this.#edits.flushEdits();
			const error = this.#run.findNodeError(message.node);
			const failed = error === undefined ? undefined : this.#live.findFailedRange(message.node, error);
			await openTextAtRange(this.#live.document, failed ?? this.#live.findNodeRange(message.node));
		},
		edit: message => this.#edits.queueOperation(message),
		typed: message => this.#edits.recordTyping(message),
		openField: async message => {
			await this.#edits.flushEdits();
			await this.#parts.openField(this.uri, message.node, message.path);
		},
		copy: message => this.#edits.runActionInTurn(message.seq, () => this.#copyNodes(message)),
		paste: message =>
			this.#edits.runActionInTurn(message.seq, async () => this.#edits.applyOperationNow(await createPasteOperation(message), message.seq)),
		onNode: message => this.commands.runOnNode(message),
		onAgent: message => this.commands.runOnAgent(message),
		export: async () => {
			await this.#edits.flushEdits();
			const { picture } = this.#live.getCurrentPicture();
			if (picture) {
				await exportGraph(this.#live.document, picture, (...svg) => this.#png.rasterizeSvg(...svg));
			}
		},
		rasterized: message => this.#png.onDrawn(message.png),
		agentForm: async () => {
			this.#selection.clear();
			await this.#form.showAgent();
		},
		undo: message => this.#undoOrRedo(message),
		redo: message => this.#undoOrRedo(message),
		lastRun: () => this.#run.showLastRun(),
		rowDetail: async message => this.post({ type: 'rowDetail', row: message.row, detail: await this.#run.readRowDetail(message.row) }),
		pickRun: () => this.#run.pickRun(),
		leaveRun: () => this.#run.showRun(undefined),
		inspectRun: async () => {
			if (this.#run.key !== undefined) {
				await this.#parts.inspect(this.#run.key);
			}
		},
		openText: async () => {
			await this.#edits.flushEdits();
			await openTextAtRange(this.#live.document, undefined);
		},
	};

	async #startPageWhenParsed(selected: readonly string[]): Promise<void> {
		const reading = this.#live.parseText();
		if (reading) {
			this.#showGraphStart();
			await reading;
		}
		// if the page was hidden in the meantime, it reloads when it becomes visible
		if (!reading || this.panel.visible) {
			this.startPage();
			this.#selection.restoreSelection(selected);
			this.#sendPageState();
		}
	}

	/** Shows the nodes around the start node, which can't be edited yet, while a large text is parsed. */
	#showGraphStart(): void {
		const picture = this.#live.createStartPicture();
		if (picture) {
			void this.send({ ...this.#createFirstMessage(), editable: false });
			void this.send(this.#picture.createStartMessage(picture));
		}
	}

	#createFirstMessage(): Extract<FromGraphHost, { type: 'begin' }> {
		const { document } = this.#live;
		return {
			type: 'begin',
			uri: document.uri.toString(),
			file: path.posix.basename(document.uri.path),
			strings: getGraphStrings(vscode.l10n),
			formStrings: getNodeFormStrings(vscode.l10n),
			kinds: this.#parts.kinds,
			editable: this.#form.editable,
			undoKeys: !this.isEditor,
			seq: this.#seq,
		};
	}

	#sendPageState(): void {
		const { document } = this.#live;
		this.post(this.#createFirstMessage());
		this.#picture.sendWholePicture();
		this.#sendFaults();
		this.#stops.send();
		this.#form.send();
		this.post({ type: 'run', ...this.#run.whole });
		if (this.#png.asked) {
			this.post(this.#png.asked);
		}
		const editor = vscode.window.visibleTextEditors.find(each => each.document === document);
		if (editor) {
			this.#selection.selectNodesAtCursors(editor);
		}
	}

	#sendFaults(): void {
		if (this.isReady) {
			this.post({ type: 'faults', faults: listNodeErrors(this.#live) });
		}
	}

	async #copyNodes({ nodes, cut, seq }: Extract<FromGraph, { type: 'copy' }>): Promise<void> {
		const ids = nodes.map(id => this.#edits.getCurrentId(id));
		await copyToClipboard(this.#live.reading, ids);
		if (cut) {
			await this.#edits.applyOperationNow({ do: 'delete', nodes }, seq);
		}
	}

	/** Shows an error on the page, or as a message if the page is hidden. */
	#reportRefusal(reason: string): void {
		if (this.isReady && !this.disposed) {
			this.post({ type: 'refused', sentence: reason });
		} else {
			void vscode.window.showWarningMessage(escapeLinks(reason));
		}
	}

	/** Runs in turn, because it moves the focus to the text and back, and no other step may run in between. */
	#undoOrRedo({ type, seq }: Extract<FromGraph, { type: 'undo' | 'redo' }>): Promise<void> {
		return this.#edits.runActionInTurn(seq, async () => {
			if (this.isEditor) {
				await vscode.commands.executeCommand(type);
			} else {
				await undoEditInText(await this.#live.openDocument(), type, () => this.panel.reveal());
			}
		});
	}
}

export function getGraphTitle(uri: vscode.Uri): string {
	return vscode.l10n.t({ message: 'Graph of {0}', args: [path.posix.basename(uri.path)], comment: ['{0} is the name of a file'] });
}
