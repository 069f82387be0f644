import path from 'node:path';
import * as vscode from 'vscode';
import type { Path } from '../../agentFile/agentText.ts';
import { copyNodes } from '../../agentFile/edits/copying.ts';
import type { GraphOperation } from '../../agentFile/edits/graphOperations.ts';
import { background } from '../../common/background.ts';
import type { CommandId } from '../../common/commandIds.ts';
import { DisposableBase } from '../../common/disposables.ts';
import { isCancellation, messageOf } from '../../common/problems.ts';
import { exportGraph } from '../export/exportGraph.ts';
import { nodeFormStrings } from '../forms/nodeFormStrings.ts';
import { TypedEdits } from '../forms/typedEdits.ts';
import { type FromGraph, parseGraphMessage } from '../graphMessages.ts';
import type { FromGraphHost, NodeKind } from '../graphProtocol.ts';
import { graphStrings } from '../graphStrings.ts';
import { askDelete } from './askDelete.ts';
import { editGraph } from './graphEdits.ts';
import { GraphRun, type GraphRunParts } from './graphRun.ts';
import { LivePicture, type ToldPicture } from './livePicture.ts';
import { nodeFaults } from './nodeFaults.ts';
import { type FormSources, PanelForm } from './panelForm.ts';
import { namesSameItems } from './samePlace.ts';
import { goToText, showInText, undoInText } from './textBeside.ts';

export interface GraphPanelParts extends GraphRunParts {
	readonly kinds: readonly NodeKind[];
	readonly forms: FormSources;
	/** Opens a program or a template of a node as a document of its language. */
	readonly openField: (file: vscode.Uri, node: string, path: Path) => Promise<void>;
	/** Opens an inspector of a run. */
	readonly inspect: (key: string) => Promise<void>;
}

/** What a page says while someone goes on typing in its form. */
const unordered: readonly FromGraph['type'][] = ['ready', 'select', 'edit', 'typed', 'rasterized'];

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
	readonly #typed: TypedEdits;
	#ready = false;
	/** Nodes that the page has selected, as far as the host knows. */
	#selected: readonly string[] = [];
	/** Takes the PNG that was asked for. */
	#rasterized: ((png: Uint8Array | undefined) => void) | undefined;
	/** What the file had, as the page knew it, when an operation was asked for. */
	readonly #askedOf = new WeakMap<GraphOperation, unknown>();
	/** Edits are done one after the other. */
	#edits: Promise<void> = Promise.resolve();

	constructor(panel: vscode.WebviewPanel, document: vscode.TextDocument, parts: GraphPanelParts, isEditor: boolean) {
		super();
		this.#panel = panel;
		this.#parts = parts;
		this.#isEditor = isEditor;
		this.#live = this.own(new LivePicture(document));
		this.#run = this.own(new GraphRun(() => this.uri, parts));
		this.#form = this.own(new PanelForm(this.#live, parts.forms, form => this.#post({ type: 'form', ...(form ? { form } : {}) })));
		this.#typed = new TypedEdits(operation => this.#edit(operation));
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
		void this.#typed.flush();
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
		if (!unordered.includes(message.type)) {
			// what was typed comes before what is done next
			await this.#typed.flush();
		}
		const { document } = this.#live;
		switch (message.type) {
			case 'ready':
				this.#ready = true;
				this.#begin();
				break;
			case 'select':
				this.#select(message.nodes);
				break;
			case 'reveal':
				await goToText(document, this.#live.rangeOf(message.node));
				break;
			case 'edit':
				this.#askedOf.set(message.operation, this.#live.content);
				await this.#typed.edit(message.operation);
				break;
			case 'typed':
				this.#askedOf.set(message.operation, this.#live.content);
				this.#typed.typed(message.operation);
				break;
			case 'openField':
				await this.#parts.openField(this.uri, message.node, message.path);
				break;
			case 'copy':
				await this.#copy(message.nodes, message.cut);
				break;
			case 'paste': {
				const { at, parent } = message;
				const text = await vscode.env.clipboard.readText();
				await this.#typed.edit({ do: 'paste', text, ...(at ? { at } : {}), ...(parent === undefined ? {} : { parent }) });
				break;
			}
			case 'onNode': {
				const key = this.#run.key;
				const argument = { uri: this.uri, node: message.node, ...(key !== undefined && { key }) };
				await vscode.commands.executeCommand(`agentWorkbench.node.${message.action}` satisfies CommandId, argument);
				break;
			}
			case 'export':
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
				await this.#undo(message.type);
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
				await goToText(document, undefined);
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
		this.#post({ type: 'picture', version, ...(picture ? { picture } : {}), ...(stale === undefined ? {} : { stale }), empty });
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

	async #copy(nodes: readonly string[], cut: boolean): Promise<void> {
		let text: string;
		try {
			text = copyNodes(this.#live.document.getText(), nodes, (message, ...values) => vscode.l10n.t(message, ...values));
		} catch (error) {
			this.#refuse(messageOf(error));
			return;
		}
		await vscode.env.clipboard.writeText(text);
		if (cut) {
			await this.#edit({ do: 'delete', nodes });
		}
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

	/** Does one step after the other; one that fails is told, and holds up no other. Never rejects. */
	#next(step: () => Promise<void>): Promise<void> {
		this.#edits = this.#edits.then(step).catch((error: unknown) => {
			this.#parts.log.warn(`Graph: ${String(error)}`);
			this.#refuse(messageOf(error));
		});
		return this.#edits;
	}

	/** Does an operation after those before it. */
	#edit(operation: GraphOperation): Promise<void> {
		return this.#next(async () => {
			const document = await this.#live.opened();
			this.#live.now();
			if (this.#askedOf.has(operation) && !namesSameItems(operation, this.#askedOf.get(operation), this.#live.content)) {
				this.#refuse(vscode.l10n.t('The list has changed in the file meanwhile: look at it, and do that again.'));
				return;
			}
			if (operation.do === 'delete' && !(await askDelete(document.getText(), operation.nodes))) {
				return;
			}
			if (operation.do === 'rename' && this.#selected.length === 1 && this.#selected[0] === operation.node) {
				this.#form.expectId(operation.id);
			}
			const result = await editGraph(document, operation);
			if ('refused' in result) {
				this.#refuse(result.refused);
				return;
			}
			this.#live.now();
			if (operation.do === 'rename') {
				this.#remember([operation.id]);
				this.#post({ type: 'select', nodes: [operation.id] });
			}
			if (result.made.length > 0) {
				this.#select(result.made);
				this.#post({ type: 'select', nodes: result.made, made: true });
			}
		});
	}

	/** Undoes after the edits before it: the focus goes to the text and comes back, which no other step may cross. */
	#undo(command: 'undo' | 'redo'): Promise<void> {
		return this.#next(async () => {
			if (this.#isEditor) {
				await vscode.commands.executeCommand(command);
			} else {
				await undoInText(await this.#live.opened(), command, () => this.#panel.reveal());
			}
		});
	}
}
