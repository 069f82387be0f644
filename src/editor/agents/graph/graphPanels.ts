import path from 'node:path';
import * as vscode from 'vscode';
import { AgentSchema } from '#agentFile/checks/agentSchema.ts';
import { DisposableBase } from '#base/disposables.ts';
import { background } from '../../platform/background.ts';
import { graphPanelType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import { CodeFiles } from '../code/codeFiles.ts';
import { addableKinds } from './addableKinds.ts';
import { GraphPanel, type GraphPanelParts } from './graphPanel.ts';
import type { FormSources } from './panelForm.ts';

export interface GraphPanelsParts extends Omit<GraphPanelParts, 'kinds' | 'forms' | 'openField'> {
	readonly forms: Omit<FormSources, 'schema'>;
	/** Tells the editor of programs that have another text now. */
	readonly codeChanged: vscode.EventEmitter<vscode.FileChangeEvent[]>;
}

/** The graphs that are open, beside their texts or in their place: loaded when the first one is. */
export class GraphPanels extends DisposableBase implements vscode.CustomTextEditorProvider {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: GraphPanelParts;
	readonly #panels = new Set<GraphPanel>();
	/** Programs of nodes as documents. */
	readonly code: CodeFiles;
	/** Those beside their texts, by their files. */
	readonly #beside = new Map<string, { readonly graph: GraphPanel; readonly panel: vscode.WebviewPanel }>();

	constructor(extensionUri: vscode.Uri, parts: GraphPanelsParts) {
		super();
		this.#extensionUri = extensionUri;
		const schema = AgentSchema.load(extensionUri.fsPath);
		this.code = this.own(new CodeFiles(parts.codeChanged, parts.readings));
		this.#parts = {
			...parts,
			kinds: addableKinds(schema.types),
			forms: { ...parts.forms, schema },
			openField: (...place) => this.code.open(...place),
		};
		this.own(
			vscode.workspace.onDidRenameFiles(({ files }) => {
				for (const { oldUri, newUri } of files) {
					background(this.#renamed(oldUri, newUri), parts.log, 'Graph of a file with another name');
				}
			}),
		);
	}

	/** Opens the graph of an agent file beside its text, or shows it again. */
	open(document: vscode.TextDocument): void {
		const { uri } = document;
		const open = this.#beside.get(uri.toString());
		if (open) {
			open.graph.reveal();
			return;
		}
		const isShown = vscode.window.activeTextEditor?.document === document;
		const column = isShown ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
		const panel = vscode.window.createWebviewPanel(graphPanelType, titleOf(uri), { viewColumn: column, preserveFocus: false });
		this.#fill(panel, document, false);
	}

	/** Brings a graph back that was open when the window was closed. */
	async restore(panel: vscode.WebviewPanel, state: { readonly uri?: unknown } | undefined): Promise<void> {
		let document: vscode.TextDocument | undefined;
		try {
			document = typeof state?.uri === 'string' ? await vscode.workspace.openTextDocument(vscode.Uri.parse(state.uri)) : undefined;
		} catch {
			// the file is gone, and with it what the panel could show
		}
		if (document && !this.#beside.has(document.uri.toString())) {
			this.#fill(panel, document, false);
		} else {
			panel.dispose();
		}
	}

	/** The graph in the place of the text (*Reopen Editor With…*). */
	resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
		this.#fill(panel, document, true);
	}

	override dispose(): void {
		super.dispose();
		for (const panel of this.#panels) {
			panel.dispose();
		}
	}

	#fill(panel: vscode.WebviewPanel, document: vscode.TextDocument, isEditor: boolean): void {
		const { webview } = panel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		if (!isEditor) {
			panel.iconPath = tabIcon(this.#extensionUri);
			panel.title = titleOf(document.uri);
		}
		const graph = new GraphPanel(panel, document, this.#parts, isEditor);
		this.#panels.add(graph);
		if (!isEditor) {
			this.#beside.set(document.uri.toString(), { graph, panel });
		}
		panel.onDidDispose(() => {
			graph.dispose();
			this.#panels.delete(graph);
			this.#forget(graph);
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'graph', titleOf(document.uri));
	}

	#forget(graph: GraphPanel): void {
		const key = graph.uri.toString();
		if (this.#beside.get(key)?.graph === graph) {
			this.#beside.delete(key);
		}
	}

	/** Graphs go with their files, as tabs of texts do. Graphs in the place of a text are moved by the editor itself. */
	async #renamed(from: vscode.Uri, to: vscode.Uri): Promise<void> {
		for (const { graph, panel } of [...this.#beside.values()]) {
			const { uri } = graph;
			const inside = uri.path === from.path ? '' : uri.path.startsWith(`${from.path}/`) ? uri.path.slice(from.path.length) : undefined;
			if (uri.scheme === from.scheme && uri.authority === from.authority && inside !== undefined) {
				const document = await vscode.workspace.openTextDocument(to.with({ path: to.path + inside }));
				this.#forget(graph);
				graph.renamed(document);
				panel.title = titleOf(document.uri);
				this.#beside.set(document.uri.toString(), { graph, panel });
			}
		}
	}
}

function titleOf(uri: vscode.Uri): string {
	return vscode.l10n.t('Graph of {0}', path.posix.basename(uri.path));
}
